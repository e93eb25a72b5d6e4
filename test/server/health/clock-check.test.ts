import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockCheck, type ClockCheckOptions } from '../../../server/health/clock-check.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2030-01-31T12:00:00Z');

describe('the check of the clock', () => {
  const aCheck = (options: Partial<ClockCheckOptions> = {}) =>
    clockCheck({ machineNow: () => NOW, offset: () => 0, storedOn: undefined, monotonicNow: () => 0, ...options });

  it('finds nothing in a clock that agrees with all that is known', () => {
    assert.equal(aCheck().check(), undefined);
    assert.equal(aCheck({ storedOn: NOW + 23 * HOUR_MS, offset: () => -23 * HOUR_MS }).check(), undefined);
  });

  for (const [what, options, message] of [
    [
      'is behind that of the database',
      { offset: () => 49 * HOUR_MS },
      /2030-01-31.* 2 days behind the clock of the data/,
    ],
    ['is ahead of that of the database', { offset: () => -25 * HOUR_MS }, /1 day ahead of the clock of the database/],
    ['is behind what was stored', { storedOn: NOW + 240 * HOUR_MS }, /10 days behind what was stored before/],
  ] as const) {
    it(`warns of a clock that ${what}`, async () => {
      const finding = await aCheck(options).check();
      assert.deepEqual([finding?.level, finding?.code], ['warning', 'clock_wrong']);
      assert.match(finding!.message, message);
    });
  }

  it('warns of a clock that jumps while the server runs', async () => {
    let [machine, monotonic] = [NOW, 0];
    const { check } = aCheck({ machineNow: () => machine, monotonicNow: () => monotonic });
    [machine, monotonic] = [NOW + 240 * HOUR_MS, 240 * HOUR_MS];
    assert.equal(await check(), undefined);
    machine -= 48 * HOUR_MS;
    assert.match((await check())!.message, /2 days behind the time at the start of the server/);
  });
});
