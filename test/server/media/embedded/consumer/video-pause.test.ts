import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  nextVideoPause,
  VIDEO_SENT,
  type VideoPause,
  type VideoPauseInput,
} from '../../../../../server/media/embedded/consumer/video-pause.js';

const NEEDED = 150_000;

/** Decides once a second for each of these available bitrates. @returns the state after each */
function seconds(available: readonly (number | undefined)[], parts: Partial<VideoPauseInput> = {}): VideoPause[] {
  let state = VIDEO_SENT;
  return available.map(
    (each, second) =>
      (state = nextVideoPause(state, {
        needed: NEEDED,
        proven: each ?? 0,
        isProbed: true,
        ...parts,
        available: each,
        now: second * 1_000,
      })),
  );
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const isPaused = ({ name }: VideoPause) => name === 'paused';

describe('the pause of a video on a slow network', () => {
  it('begins when the network has carried too little for six seconds', () => {
    const { length } = seconds(times(60, 80_000)).filter((state) => !isPaused(state));
    assert.equal(length, 6);
  });

  it('does not begin while the estimate grows, is unknown, or is only a little below the layer', () => {
    for (const available of [
      [30_000, 36_000, 43_000, 52_000, 62_000, 75_000, 90_000, 108_000, 130_000],
      times(60, undefined),
      times(60, NEEDED * 0.85),
    ]) {
      assert.ok(!seconds(available).some(isPaused), `${available}`);
    }
  });

  it('does not begin after low estimates that are interrupted, nor without an active layer', () => {
    assert.ok(!seconds(Array.from({ length: 60 }, (_, second) => (second % 6 ? 80_000 : 140_000))).some(isPaused));
    assert.ok(!seconds(times(60, 0), { needed: 0 }).some(isPaused));
  });

  it('ends when there was room for a moment, and not for a peak', () => {
    const before = times(8, 80_000);
    const end = seconds([...before, 300_000, 80_000, ...times(4, 300_000)]).map(isPaused);
    assert.deepEqual(end.slice(8), [true, true, true, true, false, false]);
  });

  it('lasts twice as long each time that it follows another one, up to half a minute', () => {
    let state = VIDEO_SENT;
    let pausedAt = 0;
    const lengths: number[] = [];
    for (let now = 0; now < 400_000; now += 500) {
      const available = isPaused(state) ? 300_000 : 80_000;
      const next = nextVideoPause(state, { needed: NEEDED, available, proven: available, isProbed: true, now });
      if (isPaused(next) && !isPaused(state)) pausedAt = now;
      if (!isPaused(next) && isPaused(state)) lengths.push(now - pausedAt);
      state = next;
    }
    assert.deepEqual(lengths.slice(0, 6), [3_000, 6_000, 12_000, 24_000, 30_000, 30_000]);
  });

  it('lasts longer after a trial that failed while the estimate grows and no probe finds room', () => {
    const lengthOf = (proven: number) => {
      let state: VideoPause = { name: 'paused', since: 0, delayMs: 6_000, roomSince: undefined };
      let now = 0;
      for (; isPaused(state); now += 500) {
        state = nextVideoPause(state, { needed: NEEDED, available: 300_000, proven, isProbed: true, now });
      }
      return now - 500;
    };
    assert.deepEqual([0, NEEDED * 0.85, NEEDED * 0.9, NEEDED * 2].map(lengthOf), [48_000, 48_000, 6_000, 6_000]);
  });

  it('ends for a trial where nothing can be probed, later each time', () => {
    const paused = seconds(times(200, 80_000), { isProbed: false }).map(isPaused);
    const changes = paused.flatMap((is, second) => (is === (paused[second - 1] ?? false) ? [] : [second]));
    assert.deepEqual(changes.slice(0, 4), [6, 18, 25, 49]);
    assert.equal(seconds(times(200, 80_000)).filter(isPaused).length, 194);
  });

  it('ends for a trial when probes find that the layer may just be carried, and not when they find less', () => {
    const ends = (part: number) => seconds([...times(7, 80_000), ...times(60, NEEDED * part)]).findLastIndex(isPaused);
    assert.equal(ends(0.9), 17);
    assert.equal(ends(1.2), 17);
    assert.equal(ends(0.85), 66);
  });

  it('keeps each state for at least three seconds, whatever the estimates are', () => {
    const estimates = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(estimates, fc.boolean(), (available, isProbed) => {
        const states = seconds(available, { isProbed }).map(isPaused);
        const changes = states.flatMap((is, second) => (is === (states[second - 1] ?? false) ? [] : [second]));
        for (let at = 1; at < changes.length; at++) assert.ok(changes[at]! - changes[at - 1]! >= 3, `${changes}`);
      }),
    );
  });
});
