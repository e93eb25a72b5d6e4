import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ViewerSeries } from '../../../server/streams/viewer-series.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const seriesOf = (changes: readonly (readonly [time: number, viewers: number])[]): ViewerSeries => {
  const series = new ViewerSeries();
  for (const [time, viewers] of changes) series.record(time, viewers);
  return series;
};
const pointsOf = (changes: readonly (readonly [time: number, viewers: number])[]) =>
  seriesOf(changes).points.map(({ time, viewers }) => [time, viewers]);

describe('ViewerSeries', () => {
  it('records changes only', () => {
    assert.deepEqual(
      pointsOf([
        [0, 0],
        [20_000, 2],
        [40_000, 2],
        [60_000, 1],
      ]),
      [
        [0, 0],
        [20_000, 2],
        [60_000, 1],
      ],
    );
  });

  it('keeps the newest number of ten seconds, and the beginning', () => {
    assert.deepEqual(
      pointsOf([
        [0, 0],
        [1_000, 1],
        [2_000, 2],
        [3_000, 3],
      ]),
      [
        [0, 0],
        [3_000, 3],
      ],
    );
  });

  it('counts a clock that was set back as no time', () => {
    assert.deepEqual(
      pointsOf([
        [50_000, 1],
        [20_000, 2],
      ]),
      [
        [50_000, 1],
        [50_000, 2],
      ],
    );
  });

  it('keeps one point of five minutes after an hour, and drops what ended a day ago', () => {
    const changes = Array.from({ length: 18 }, (_, index) => [index * 20_000, index] as const);
    assert.deepEqual(pointsOf([...changes, [100 * MINUTE, 99]]), [
      [0, 0],
      [280_000, 14],
      [340_000, 17],
      [100 * MINUTE, 99],
    ]);
    assert.deepEqual(pointsOf([...changes, [100 * MINUTE, 99], [3 * DAY, 5]]), [
      [100 * MINUTE, 99],
      [3 * DAY, 5],
    ]);
  });

  it('stays in order and bounded, and ends with the newest number', () => {
    const step = fc.tuple(fc.integer({ min: -5_000, max: 10 * MINUTE }), fc.nat(20));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 600 }), (steps) => {
        let now = 0;
        const series = seriesOf(steps.map(([elapsed, viewers]) => [(now += elapsed), viewers]));
        const { points } = series;
        assert.equal(points.at(-1)?.viewers, steps.at(-1)?.[1]);
        assert.ok(points.length <= 2 * (360 + 276));
        for (const [index, { time }] of points.entries()) assert.ok(time >= (points[index - 1]?.time ?? time));
      }),
      { numRuns: 50 },
    );
  });
});
