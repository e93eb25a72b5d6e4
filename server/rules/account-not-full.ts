import { ALLOW, deny, type Rule } from './rule.js';

/** The account has fewer sessions than the operator permits. Open sessions stay when the limit falls below their number. */
export const accountNotFull: Rule = {
  name: 'account-not-full',
  decide: ({ account: { maxSessions, sessions } }) =>
    maxSessions === null || sessions < maxSessions ? ALLOW : deny('account_full'),
  looksAt: ({ account: { maxSessions, sessions } }) => ({ maxSessions, sessions }),
};
