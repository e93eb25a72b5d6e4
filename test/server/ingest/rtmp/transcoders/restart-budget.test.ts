import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RestartBudget } from '../../../../../server/ingest/rtmp/transcoders/restart-budget.js';

describe('the starts of a transcoder', () => {
  it('are five at once, and one more for each minute', () => {
    const starts = new RestartBudget();
    const atOnce = Array.from({ length: 7 }, () => starts.take(1_000));
    assert.deepEqual(atOnce, [true, true, true, true, true, false, false]);
    assert.deepEqual(
      [60_999, 61_000, 61_000, 121_000].map((time) => starts.take(time)),
      [false, true, false, true],
    );
  });

  it('are never more than five and one for each minute, however long there were none', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 60 }), (steps) => {
        const starts = new RestartBudget();
        let now = 0;
        const taken: number[] = [];
        for (const step of steps) {
          now += step;
          if (starts.take(now)) taken.push(now);
        }
        for (const from of taken) {
          assert.ok(taken.filter((time) => time >= from && time < from + 60_000).length <= 6);
        }
      }),
    );
  });
});
