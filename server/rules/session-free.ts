import { ALLOW, deny, type Rule } from './rule.js';

/**
 * The token permits one more viewing: fewer than `maxSessions` began before this one. A token that displaces its oldest
 * viewing always has room. A self-signed token may have a limit of its own, and both must have room.
 */
export const sessionFree: Rule = {
  name: 'session-free',
  decide: ({ token, viewingsAhead: { ofToken, ofSigned } }) =>
    !token ||
    token.whenFull === 'displace' ||
    (hasRoom(token.maxSessions, ofToken) && hasRoom(token.signed?.maxSessions ?? 0, ofSigned))
      ? ALLOW
      : deny('token_full'),
  looksAt: ({ token, viewingsAhead: { ofToken, ofSigned } }) => ({
    maxSessions: token?.maxSessions ?? null,
    whenFull: token?.whenFull ?? null,
    sessions: ofToken,
    ...(token?.signed && { signedMaxSessions: token.signed.maxSessions, signedSessions: ofSigned }),
  }),
};

/** 0: no limit. */
function hasRoom(most: number, ahead: number): boolean {
  return most === 0 || ahead < most;
}
