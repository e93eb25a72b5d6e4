import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { judgePassword, type PasswordAttempt } from '../../../../server/accounts/passwords/password-verdict.js';

const attempts: fc.Arbitrary<PasswordAttempt> = fc.oneof(
  fc.constant({ name: 'unknown' as const }),
  fc.record({
    name: fc.constant('known' as const),
    isPasswordRight: fc.boolean(),
    step: fc.option(fc.nat(10), { nil: undefined }),
    lastStep: fc.nat(10),
  }),
);

describe('the verdict on a login with a password', () => {
  it('accepts a right password with a code that is newer than the last one', () => {
    const known = { name: 'known', isPasswordRight: true, step: 8, lastStep: 7 } as const;
    assert.deepEqual(judgePassword(known), { name: 'accepted', step: 8 });
  });

  it('accepts nothing else', () => {
    fc.assert(
      fc.property(attempts, (attempt) => {
        const isAccepted = judgePassword(attempt).name === 'accepted';
        const isRight =
          attempt.name === 'known' &&
          attempt.isPasswordRight &&
          attempt.step !== undefined &&
          attempt.step > attempt.lastStep;
        assert.equal(isAccepted, isRight);
      }),
    );
  });

  it('never accepts a code twice', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), (step, lastStep) => {
        const known = { name: 'known', isPasswordRight: true, step } as const;
        const first = judgePassword({ ...known, lastStep });
        if (first.name === 'accepted') {
          assert.equal(judgePassword({ ...known, lastStep: first.step }).name, 'refused');
        }
      }),
    );
  });
});
