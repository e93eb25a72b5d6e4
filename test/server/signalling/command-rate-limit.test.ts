import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandRateLimit } from '../../../server/signalling/command-rate-limit.js';

describe('Allowance', () => {
  const take = (allowance: CommandRateLimit, times: number, now: number) =>
    Array.from({ length: times }, () => allowance.take(now));

  it('lets a burst through and refuses what comes on top', () => {
    const allowance = new CommandRateLimit(0);
    assert.deepEqual(new Set(take(allowance, 60, 0)), new Set(['granted']));
    assert.equal(allowance.take(0), 'refused');
  });

  it('lets twenty a second through after that', () => {
    const allowance = new CommandRateLimit(0);
    take(allowance, 61, 0);
    assert.equal(take(allowance, 100, 1_000).filter((answer) => answer === 'granted').length, 20);
  });

  it('saves up no more than a burst', () => {
    const allowance = new CommandRateLimit(0);
    assert.equal(take(allowance, 100, 3_600_000).filter((answer) => answer === 'granted').length, 60);
  });

  it('is exhausted by whoever does not listen, and not by whoever pauses', () => {
    const allowance = new CommandRateLimit(0);
    take(allowance, 60, 0);
    assert.deepEqual(new Set(take(allowance, 200, 0)), new Set(['refused']));
    assert.equal(allowance.take(0), 'exhausted');

    const patient = new CommandRateLimit(0);
    take(patient, 60 + 200, 0);
    assert.equal(patient.take(1_000), 'granted');
    assert.deepEqual(new Set(take(patient, 19, 1_000)), new Set(['granted']));
    assert.deepEqual(new Set(take(patient, 200, 1_000)), new Set(['refused']));
  });

  it('does not fill up when the clock stands still or goes back', () => {
    const allowance = new CommandRateLimit(1_000);
    take(allowance, 60, 1_000);
    assert.equal(allowance.take(0), 'refused');
  });
});
