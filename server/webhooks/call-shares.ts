import type { ClaimedDelivery, ClaimRequest } from './webhook-store.js';

/** The calls that a server makes at once. */
export const MOST_CALLS = 32;
/** A receiver that hangs must not keep the calls of others waiting. */
const MOST_CALLS_OF_ONE = 4;
/** Only for accounts that have no call under way: their first call does not wait while all receivers of others hang. */
export const FIRST_CALLS = 8;

type Shares = Pick<ClaimRequest, 'most' | 'mostOfOne' | 'busy' | 'mostOfAccount' | 'moreOf'>;

/**
 * What may be claimed while these calls are under way. Undefined: nothing.
 *
 * Beside the `FIRST_CALLS`, an account has at most as many calls under way as are free then: alone half of them, with
 * another one a third. Half of what is free is claimed at a time, because it is not known before how many accounts
 * share it.
 */
export function callShares(underWay: readonly Pick<ClaimedDelivery, 'webhookId' | 'accountId'>[]): Shares | undefined {
  const free = MOST_CALLS - underWay.length;
  if (free <= 0) return undefined;
  const byWebhook = Map.groupBy(underWay, ({ webhookId }) => webhookId);
  const byAccount = Map.groupBy(underWay, ({ accountId }) => accountId);
  const shareOf = (calls: number): number => Math.max(1, Math.floor((free - FIRST_CALLS + calls) / 2));
  return {
    most: Math.ceil(free / 2),
    mostOfOne: MOST_CALLS_OF_ONE,
    busy: [...byWebhook].filter(([, calls]) => calls.length >= MOST_CALLS_OF_ONE).map(([id]) => id),
    mostOfAccount: shareOf(0),
    moreOf: new Map([...byAccount].map(([id, { length }]) => [id, Math.max(0, shareOf(length) - length)])),
  };
}
