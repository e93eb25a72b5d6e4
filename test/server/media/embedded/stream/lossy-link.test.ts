import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSentAgain, openSimulcast, TRANSPORT_FEEDBACK } from '../../../../support/media/simulcast-fixture.js';

const LINK = { capacity: 300_000, loss: 0.05, delay: 30, buffer: 400 };
/** 174 kbit/s in the lowest temporal layer, … */
const PICTURE_BYTES = 2_900;
/** … and 57 kbit/s more, because viewers who join cause keyframes. */
const KEYFRAMES = { bytes: 10_000, everyMs: 1_000 };
const PICTURES_PER_SECOND = 7.5;

describe('viewers on links that lose 5 % of the packets, and carry no more than the lowest temporal layer', () => {
  function watch() {
    const { watch, pass } = openSimulcast([PICTURE_BYTES], { temporal: true, keyframes: KEYFRAMES });
    const viewers = Array.from({ length: 4 }, () => watch(TRANSPORT_FEEDBACK, LINK));
    const totals = () =>
      viewers.map(({ frames, sink: { rtp } }) => {
        const again = rtp.filter(isSentAgain).length;
        return { frames: frames(), again, packets: rtp.length };
      });
    return {
      viewers,
      /** @returns the pictures of each viewer in these seconds, and the part of the packets that were sent again */
      pass: (seconds: number) => {
        const before = totals();
        pass(seconds, viewers[0]!);
        return totals().map(({ frames, again, packets }, viewer) => ({
          frames: frames - before[viewer]!.frames,
          again: (again - before[viewer]!.again) / (packets - before[viewer]!.packets),
        }));
      },
    };
  }

  it('see nearly all of its pictures from the fourth second on, although more was sent at first', () => {
    const { viewers, pass } = watch();
    pass(3);
    for (const { frames } of pass(5))
      assert.ok(frames >= 5 * 0.85 * PICTURES_PER_SECOND, `${frames} pictures at first`);
    for (const { frames } of pass(60)) assert.ok(frames >= 60 * 0.95 * PICTURES_PER_SECOND, `${frames} pictures`);
    assert.deepEqual(
      viewers.map(({ paused }) => paused),
      viewers.map(() => []),
    );
  });

  it('are sent little again', () => {
    const { pass } = watch();
    pass(10);
    for (const { again } of pass(60)) assert.ok(again < 0.15, `${again} of the packets`);
  });
});
