import type { Rule } from './access-request.js';
import { firstOf } from './first-of.js';
import { ALLOW, deny } from './verdict.js';

/** The page is one that the token may be used on. A token that names no page may be used on all, and without one. */
export const originAllowed: Rule = {
  name: 'origin-allowed',
  decide: ({ token, origin }) => (!token || token.permitsOrigin(origin) ? ALLOW : deny('origin_not_allowed')),
  looksAt: ({ token, origin = null }) => ({ origin, allowedOrigins: firstOf(token?.allowedOrigins) }),
};
