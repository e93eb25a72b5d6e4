import type { Rule } from './access-request.js';
import { ALLOW, deny } from './verdict.js';

/** A token is good up to, and not including, the instant it expires. */
export const tokenNotExpired: Rule = {
  name: 'token-not-expired',
  decide: ({ token, now }) =>
    !token || token.expiresOn === null || now < token.expiresOn ? ALLOW : deny('token_expired'),
  looksAt: ({ token, now }) => ({ expiresOn: isoTime(token?.expiresOn ?? null), now: isoTime(now) }),
};

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
