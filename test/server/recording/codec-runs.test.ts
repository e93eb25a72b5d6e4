import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { codecRuns, videoCodecOf } from '../../../server/recording/codec-runs.js';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';

/** Of these parts: their codecs, or `sound`. */
const runsOf = (...parts: (VideoCodec | 'sound')[]): string[] =>
  codecRuns(parts.map((codec) => ({ video: codec === 'sound' ? undefined : { codec } }))).map((run) =>
    run.map(({ video }) => video?.codec ?? 'sound').join(' '),
  );

describe('codecRuns', () => {
  it('keeps parts with sound alone together with the parts of one video codec beside them', () => {
    assert.deepEqual(runsOf('sound', 'h264', 'sound', 'h264', 'sound'), ['sound h264 sound h264 sound']);
  });

  it('divides at another video codec', () => {
    assert.deepEqual(runsOf('h264', 'sound', 'vp9', 'vp9'), ['h264 sound', 'vp9 vp9']);
  });

  it('keeps VP8 apart from sound alone, on both sides', () => {
    assert.deepEqual(runsOf('sound', 'vp8', 'vp8', 'sound', 'sound'), ['sound', 'vp8 vp8', 'sound sound']);
  });

  it('loses no part, has one video codec in a run, and divides the first parts as it will with more', () => {
    const part = fc.constantFrom('sound', 'h264', 'vp9', 'vp8').map((codec) => ({
      video: codec === 'sound' ? undefined : { codec: codec as VideoCodec },
    }));
    fc.assert(
      fc.property(fc.array(part), fc.nat(), (parts, some) => {
        const runs = codecRuns(parts);
        assert.deepEqual(runs.flat(), parts);
        for (const run of runs) {
          assert.ok(run.every(({ video }) => !video || video.codec === videoCodecOf(run)));
        }
        const before = codecRuns(parts.slice(0, some % (parts.length + 1)));
        for (const [index, run] of before.entries()) assert.deepEqual(runs[index]!.slice(0, run.length), run);
      }),
    );
  });
});
