import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ADDRESS_DELAY,
  FAILURES_KEPT_MS,
  judgeAttempt,
  NAME_DELAY,
  type FailedAttempts,
} from '../../../../server/accounts/passwords/attempt-delay.js';

const rules = fc.constantFrom(NAME_DELAY, ADDRESS_DELAY);
/** What is left after attempts that came these milliseconds after each other, with how many were let through. */
const after = (pauses: readonly number[], rule: typeof NAME_DELAY) => {
  let state: FailedAttempts | undefined;
  let now = 0;
  let tried = 0;
  for (const pause of pauses) {
    now += pause;
    const verdict = judgeAttempt(state, rule, now);
    if (verdict.name === 'wait') continue;
    state = verdict.next;
    tried += 1;
  }
  return { state, now, tried };
};

describe('the delay of failed attempts', () => {
  it('lets the first ones through, and then doubles the wait up to its limit', () => {
    let state: FailedAttempts | undefined;
    let now = 0;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const verdict = judgeAttempt(state, NAME_DELAY, now);
      assert.equal(verdict.name, 'try');
      if (verdict.name === 'try') state = verdict.next;
      waits.push((state!.waitsUntil - now) / 1_000);
      now = state!.waitsUntil;
    }
    assert.deepEqual(waits.slice(0, 17), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('is never longer than its limit, so nobody is locked out', () => {
    fc.assert(
      fc.property(rules, fc.array(fc.nat(3_600_000)), (rule, pauses) => {
        const { state, now } = after(pauses, rule);
        assert.ok((state?.waitsUntil ?? 0) - now <= rule.mostMs);
        assert.equal(judgeAttempt(state, rule, now + rule.mostMs).name, 'try');
      }),
    );
  });

  it('lets few through, however many come', () => {
    fc.assert(
      fc.property(rules, fc.array(fc.nat(100), { minLength: 50, maxLength: 500 }), (rule, pauses) => {
        const { now, tried } = after(pauses, rule);
        assert.ok(tried <= rule.free + Math.log2(now / 1_000 + 1) + 1, `${tried} in ${now} ms`);
      }),
    );
  });

  it('forgets failures after a day', () => {
    fc.assert(
      fc.property(rules, fc.array(fc.nat(100_000)), (rule, pauses) => {
        const { state, now } = after(pauses, rule);
        const verdict = judgeAttempt(state, rule, now + FAILURES_KEPT_MS);
        assert.equal(verdict.name === 'try' && verdict.next.failures, 1);
      }),
    );
  });
});
