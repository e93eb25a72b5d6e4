import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { healthBetween, type SentSample } from '../../../../src/elements/broadcaster/health/health.js';
import { afterSecond, NOTHING_TOLD, type ToldHealth } from '../../../../src/elements/broadcaster/health/told-health.js';

/** The heights that were sent in one second after the other, of 720, and what was told after each. */
function told(
  heights: readonly number[],
  { restartAt = -1, limit = 'bandwidth', isServerOverloaded = (_second: number): boolean => false } = {},
): readonly [string, number | undefined][] {
  let state: ToldHealth = NOTHING_TOLD;
  const base: SentSample = {
    at: 0,
    bytes: 0,
    width: undefined,
    height: undefined,
    framesPerSecond: 30,
    fullHeight: 720,
    limits: [],
    loss: 0,
    roundTrip: 0.02,
    codec: 'VP8',
  };
  return heights.map((height, second) => {
    const before = { ...base, at: second * 1_000, bytes: 1_000 };
    const after = {
      ...base,
      at: before.at + 1_000,
      bytes: second === restartAt ? 0 : 2_000,
      height,
      limits: [height < 720 ? limit : 'none'],
    };
    state = afterSecond(state, healthBetween(before, after), isServerOverloaded(second));
    return [state.verdict, state.height];
  });
}
const seconds = (count: number, height: number): number[] => Array.from({ length: count }, () => height);

describe('what broadcasters are told of a slow upload', () => {
  it('is nothing while the browser enlarges the picture at the start', () => {
    const rampUp = [...seconds(6, 270), ...seconds(6, 360), ...seconds(6, 540), ...seconds(10, 720)];
    assert.deepEqual(new Set(told(rampUp).map(([verdict]) => verdict)), new Set(['good']));
  });

  it('is the size that viewers see, if the picture does not grow', () => {
    assert.deepEqual(told(seconds(40, 360)).at(-1), ['slow', 360]);
    assert.deepEqual(told(seconds(24, 360)).at(-1), ['good', undefined]);
  });

  it('comes within seconds after the picture was whole', () => {
    assert.deepEqual(told([...seconds(5, 720), ...seconds(3, 540)]).at(-1), ['good', undefined]);
    assert.deepEqual(told([...seconds(5, 720), ...seconds(4, 540)]).at(-1), ['slow', 540]);
  });

  it('never names the size that was asked for: it ends in the second in which the picture is whole', () => {
    const recovered = told([...seconds(5, 720), ...seconds(6, 540), 720]);
    assert.deepEqual(recovered.slice(-2), [
      ['slow', 540],
      ['good', undefined],
    ]);
  });

  it('is the load of the server while it is overloaded, and never a slow upload then', () => {
    const isServerOverloaded = (second: number) => second >= 5 && second < 20;
    const verdicts = told([...seconds(5, 720), ...seconds(15, 270), ...seconds(6, 720)], { isServerOverloaded });
    assert.deepEqual([...new Set(verdicts.map(([verdict]) => verdict))], ['good', 'server']);
    assert.deepEqual(
      [verdicts[8], verdicts.at(-1)],
      [
        ['server', undefined],
        ['good', undefined],
      ],
    );
    const busy = told(seconds(5, 270), { limit: 'cpu', isServerOverloaded: () => true });
    assert.deepEqual(busy.at(-1), ['busy', undefined], 'the device comes first');
  });

  it('is nothing while another connection begins', () => {
    const again = told([...seconds(10, 720), ...seconds(15, 360)], { restartAt: 10 });
    assert.deepEqual(again.at(-1), ['good', undefined]);
  });
});
