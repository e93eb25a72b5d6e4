import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterFinishFailure, finishFailureOf } from '../../../../server/recording/finish/finish-retry.js';
import { PackagerError } from '../../../../server/recording/packager/packager-messages.js';

const delays = (reason: Parameters<typeof afterFinishFailure>[0], count: number) =>
  Array.from({ length: count }, (_, failures) => {
    const step = afterFinishFailure(reason, failures);
    return step.name === 'retry' ? step.ms / 1_000 : step.name;
  });

describe('a recording that cannot be finished', () => {
  it('is tried again ever more seldom, at least every quarter of an hour', () => {
    for (const reason of ['disk_full', 'disk_failed', 'failed'] as const) {
      assert.deepEqual(delays(reason, 7), [30, 60, 120, 240, 480, 900, 900]);
    }
  });

  it('is tried again at once when the packager ended, but not so for ever', () => {
    assert.deepEqual(delays('unavailable', 12), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('is given up when its parts cannot be read, even when they are read again', () => {
    assert.deepEqual(delays('unreadable', 3), [1, 'give_up', 'give_up']);
  });

  it('has the reason that the packager gives', () => {
    assert.equal(finishFailureOf(new PackagerError('no space', 'disk_full')), 'disk_full');
    assert.equal(finishFailureOf(new Error('no database')), 'failed');
  });
});
