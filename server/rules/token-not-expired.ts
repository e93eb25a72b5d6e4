import { ALLOW, deny, type Rule } from './rule.js';

/** The token has not expired. At the instant of its expiry it has. */
export const tokenNotExpired: Rule = {
  name: 'token-not-expired',
  decide: ({ token, now }) =>
    !token || token.expiresOn === null || now < token.expiresOn ? ALLOW : deny('token_expired'),
  looksAt: ({ token, now }) => ({ expiresOn: isoTime(token?.expiresOn ?? null), now: isoTime(now) }),
};

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
