import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { ResendBudget } from '../../../../../server/media/embedded/consumer/resend-budget.js';

const CARRIED = 300_000;
const PACKET = 1_200;

describe('the packets that may be resent', () => {
  let budget: ResendBudget;
  let now: number;

  beforeEach(() => {
    budget = new ResendBudget();
    now = 0;
    budget.packets(CARRIED, now);
  });

  /** Sends at this bitrate for some seconds, with ten requests a second for more than is allowed. @returns the resent ones */
  function pass(seconds: number, bitrate: number, carried = CARRIED): number {
    let all = 0;
    for (let step = 0; step < seconds * 10; step++) {
      now += 100;
      budget.onSent(bitrate / 80);
      const resent = budget.packets(carried, now);
      budget.onSent(resent * PACKET);
      budget.onResent(resent);
      all += resent;
    }
    return all;
  }
  const bitrateOf = (packets: number, seconds: number) => (packets * PACKET * 8) / seconds;

  it('are half a second of what the network carries after a second without a packet', () => {
    assert.equal(budget.packets(CARRIED, 1_000), Math.ceil((CARRIED / 8 / PACKET) * 0.5));
    assert.equal(budget.packets(CARRIED, 60_000), Math.ceil((CARRIED / 8 / PACKET) * 0.5));
  });

  it('are, over time, what the network carries beyond what is sent', () => {
    pass(10, 100_000);
    const resent = bitrateOf(pass(60, 100_000), 60);
    assert.ok(resent > 180_000 && resent < 220_000, `${resent}`);
  });

  it('are about a fifth of what is sent if the network carries no more, or seems to carry less', () => {
    for (const carried of [CARRIED, 100_000]) {
      pass(10, CARRIED, carried);
      const resent = bitrateOf(pass(60, CARRIED, carried), 60);
      assert.ok(resent > 0.15 * CARRIED && resent < 0.35 * CARRIED, `${resent}`);
    }
  });

  it('are as many as before half a second after a long time in which more was sent than carried', () => {
    pass(60, 2 * CARRIED);
    pass(1, 0);
    assert.ok(pass(1, 0) >= 20);
  });

  it('are a whole number, whatever was sent', () => {
    const step = fc.record({ ms: fc.nat(5_000), bytes: fc.nat(1e6), carried: fc.integer({ min: 50_000, max: 2e7 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const any = new ResendBudget();
        let at = 0;
        for (const { ms, bytes, carried } of steps) {
          any.onSent(bytes);
          const packets = any.packets(carried, (at += ms));
          assert.ok(Number.isInteger(packets) && packets >= 0);
          any.onResent(packets);
        }
      }),
    );
  });
});
