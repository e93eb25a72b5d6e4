import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/** The token permits the origin of the page. A token without a list permits all, and a client without an origin. */
export const originAllowed: Rule = {
  name: 'origin-allowed',
  decide: ({ token, origin }) => (!token || token.permitsOrigin(origin) ? ALLOW : deny('origin_not_allowed')),
  looksAt: ({ token, origin = null }) => ({ origin, allowedOrigins: listPreview(token?.allowedOrigins) }),
};
