import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandRateLimit } from '../../../server/signalling/command-rate-limit.js';

describe('CommandRateLimit', () => {
  const take = (limit: CommandRateLimit, times: number, now: number) =>
    Array.from({ length: times }, () => limit.take(now));

  it('grants a burst of 60 commands and refuses the next one', () => {
    const limit = new CommandRateLimit(0);
    assert.deepEqual(new Set(take(limit, 60, 0)), new Set(['granted']));
    assert.equal(limit.take(0), 'refused');
  });

  it('grants twenty commands a second after a burst', () => {
    const limit = new CommandRateLimit(0);
    take(limit, 61, 0);
    assert.equal(take(limit, 100, 1_000).filter((answer) => answer === 'granted').length, 20);
  });

  it('grants no more than a burst after a pause', () => {
    const limit = new CommandRateLimit(0);
    assert.equal(take(limit, 100, 3_600_000).filter((answer) => answer === 'granted').length, 60);
  });

  it('is exhausted after 200 refusals in a row, and not if the client pauses', () => {
    const limit = new CommandRateLimit(0);
    take(limit, 60, 0);
    assert.deepEqual(new Set(take(limit, 200, 0)), new Set(['refused']));
    assert.equal(limit.take(0), 'exhausted');

    const patient = new CommandRateLimit(0);
    take(patient, 60 + 200, 0);
    assert.equal(patient.take(1_000), 'granted');
    assert.deepEqual(new Set(take(patient, 19, 1_000)), new Set(['granted']));
    assert.deepEqual(new Set(take(patient, 200, 1_000)), new Set(['refused']));
  });

  it('does not refill when the clock stands still or goes back', () => {
    const limit = new CommandRateLimit(1_000);
    take(limit, 60, 1_000);
    assert.equal(limit.take(0), 'refused');
  });
});
