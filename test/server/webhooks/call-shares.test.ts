import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { callShares, FIRST_CALLS } from '../../../server/webhooks/call-shares.js';

interface Call {
  readonly webhookId: number;
  readonly accountId: string;
}

/** Claims until nothing more may be claimed, for accounts that have `waiting` deliveries, each of a webhook of its own. */
function claimAll(waiting: ReadonlyMap<string, number>, underWay: readonly Call[] = []): readonly Call[] {
  const calls = [...underWay];
  for (;;) {
    const shares = callShares(calls);
    const turns = [...waiting]
      .flatMap(([accountId, count]) => {
        const held = calls.filter((call) => call.accountId === accountId).length;
        const share = Math.min(count - held, shares?.moreOf.get(accountId) ?? shares?.mostOfAccount ?? 0);
        return Array.from({ length: Math.max(0, share) }, (_, turn) => ({ accountId, turn }));
      })
      .toSorted((one, other) => one.turn - other.turn)
      .slice(0, shares?.most ?? 0);
    if (turns.length === 0) return calls;
    for (const { accountId } of turns) calls.push({ accountId, webhookId: calls.length });
  }
}

const countOf = (calls: readonly Call[], accountId: string) =>
  calls.filter((call) => call.accountId === accountId).length;

describe('the shares of calls of webhooks', () => {
  it('leave as many free as one account has, and more for others', () => {
    assert.equal(claimAll(new Map([['a', 1_000]])).length, 12);
    const two = claimAll(
      new Map([
        ['a', 1_000],
        ['b', 1_000],
      ]),
    );
    assert.deepEqual([countOf(two, 'a'), countOf(two, 'b')], [8, 8]);
  });

  it('leave a webhook out that has four calls under way', () => {
    const calls = Array.from({ length: 4 }, () => ({ webhookId: 7, accountId: 'a' }));
    assert.deepEqual(callShares(calls)?.busy, [7]);
    assert.deepEqual(callShares(calls.slice(1))?.busy, []);
  });

  it('leave a call for each of the next accounts, while every receiver of those before hangs', () => {
    const accounts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: FIRST_CALLS });
    fc.assert(
      fc.property(accounts, (counts) => {
        const waiting = new Map<string, number>();
        let calls: readonly Call[] = [];
        for (const [index, count] of counts.entries()) {
          waiting.set(`account ${index}`, count);
          calls = claimAll(waiting, calls);
          assert.ok(countOf(calls, `account ${index}`) >= 1, `account ${index} of ${counts.length}`);
        }
      }),
    );
  });
});
