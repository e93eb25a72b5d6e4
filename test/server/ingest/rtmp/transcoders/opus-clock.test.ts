import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OPUS_PACKET_MS, OpusClock } from '../../../../../server/ingest/rtmp/transcoders/opus-clock.js';

const FRAME_MS = (1_024 * 1_000) / 48_000;

describe('the timestamps of Opus packets', () => {
  it('begin 6.5 ms before the sound, which the encoder adds, and grow by the length of a packet', () => {
    const clock = new OpusClock(48_000);
    for (let frame = 0; frame < 20; frame++) clock.take(Math.round(5_000 + frame * FRAME_MS));
    assert.deepEqual([clock.give(), clock.give(), clock.give()], [4_993.5, 5_013.5, 5_033.5]);
  });

  it('jump where the encoder left sound out, and only there', () => {
    const clock = new OpusClock(48_000);
    const framesPerSecond = Math.round(1_000 / FRAME_MS);
    for (let frame = 0; frame < framesPerSecond; frame++) clock.take(Math.round(frame * FRAME_MS));
    for (let frame = 0; frame < framesPerSecond; frame++) clock.take(Math.round(8_000 + frame * FRAME_MS));
    const given = Array.from({ length: 80 }, () => clock.give());
    const steps = given.slice(1).map((time, index) => Math.round(time - given[index]!));
    assert.equal(steps.filter((step) => step === OPUS_PACKET_MS).length, steps.length - 1);
    assert.ok(Math.abs(given.at(-1)! - (8_000 + 79 * 20 - 1_000)) < 50, `${given.at(-1)}`);
  });

  it('stay near the sound for hours, although timestamps are rounded', () => {
    fc.assert(
      fc.property(fc.constantFrom(44_100, 48_000, 24_000), fc.integer({ min: 0, max: 1e9 }), (rate, start) => {
        const clock = new OpusClock(rate);
        const frameMs = (1_024 * 1_000) / rate;
        const frames = 20_000;
        for (let frame = 0; frame < frames; frame++) clock.take(Math.round(start + frame * frameMs));
        let last = 0;
        for (let packet = 0; packet < (frames * frameMs) / OPUS_PACKET_MS - 1; packet++) last = clock.give();
        assert.ok(Math.abs(last - (start + frames * frameMs)) < 100);
      }),
      { numRuns: 20 },
    );
  });
});
