import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { PicturePath } from '../../../../server/ingest/rtmp/picture-path.js';
import { SourceFrames, type VideoFrame } from '../../../../server/ingest/rtmp/source-frames.js';
import type { PictureTranscoderListener } from '../../../../server/ingest/rtmp/transcoders/x264-transcoder.js';
import type { SourceFrame } from '../../../../server/media/engine/media-track.js';
import type { AvcConfig } from '../../../../server/rtmp/avc.js';
import type { AvcFrame } from '../../../../server/rtmp/flv-stream.js';

const config = (level = 0x2a): AvcConfig => ({
  sequenceParameterSets: [Buffer.from([0x67, 0x64, 0x00, level, 0xac])],
  pictureParameterSets: [Buffer.from([0x68, 0xee])],
  lengthBytes: 4,
});

/** A frame at 25/s. */
const frame = (index: number, compositionTime = 0, isKeyframe = index === 0): VideoFrame => ({
  kind: 'frame',
  codec: 'h264',
  timestamp: 40 * index,
  compositionTime,
  isKeyframe,
  data: [Buffer.from([isKeyframe ? 0x65 : 0x41, index])],
});
/** I P B B: the second is shown after the others. */
const WITH_B_FRAMES = [frame(0, 40), frame(1, 120), frame(2, 0), frame(3, 0)];

interface OpenTranscoder {
  readonly listener: PictureTranscoderListener;
  readonly level: number;
  readonly startMs: number;
  readonly written: AvcFrame[];
  closed: boolean;
}

describe('the picture of an encoder', () => {
  let passed: number[];
  let faults: string[];
  let told: string[];
  let transcoders: OpenTranscoder[];
  beforeEach(() => {
    [passed, faults, told, transcoders] = [[], [], [], []];
  });

  function path({ transcode = true } = {}): PicturePath {
    const made = new PicturePath({
      frames: new SourceFrames(),
      openTranscoder: transcode
        ? (of, startMs, listener) => {
            const level = of.sequenceParameterSets[0]![3]!;
            const transcoder: OpenTranscoder = { listener, level, startMs, written: [], closed: false };
            transcoders.push(transcoder);
            return {
              write: (written) => void transcoder.written.push(written),
              close: () => void (transcoder.closed = true),
            };
          }
        : undefined,
      onFrame: ({ timestampMs }) => void passed.push(timestampMs),
      onTranscoded: () => void told.push('transcoded'),
      onTranscoderEnd: (reason) => void told.push(reason),
      onFault: ({ code }) => void faults.push(code),
    });
    made.configure({ codec: 'h264', config: config() });
    return made;
  }
  const write = (to: PicturePath, frames: readonly VideoFrame[]): void => frames.forEach((each) => to.write(each));
  const made = (timestampMs: number): SourceFrame => ({
    kind: 'video',
    data: Buffer.of(1),
    isKeyframe: false,
    timestampMs,
  });

  it('passes as it came without B-frames, each frame at once', () => {
    for (const transcode of [true, false]) {
      passed = [];
      const picture = path({ transcode });
      picture.write(frame(0));
      assert.deepEqual(passed, [0]);
      write(picture, [frame(1), frame(2)]);
      assert.deepEqual(passed, [0, 40, 80]);
    }
    assert.equal(transcoders.length, 0);
  });

  it('is refused with B-frames where the operator does not allow more, and viewers see none of it', () => {
    const picture = path({ transcode: false });
    write(picture, WITH_B_FRAMES);
    assert.deepEqual(faults, ['b_frames']);
    picture.write(frame(4));
    assert.deepEqual([faults, passed], [['b_frames'], []]);
  });

  it('is encoded again with B-frames, from the first frame on, and nothing passes as it came', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    assert.deepEqual([passed, told, faults], [[], ['transcoded'], []]);
    const [transcoder] = transcoders;
    assert.equal(transcoder?.startMs, 0);
    assert.deepEqual(
      transcoder.written.map(({ timestampMs, compositionTime }) => [timestampMs, compositionTime]),
      [
        [0, 40],
        [40, 120],
        [80, 0],
        [120, 0],
      ],
    );
    transcoder.listener.onFrame(made(40));
    assert.deepEqual(passed, [40]);
  });

  it('passes after twenty frames that are shown later, but in order', () => {
    const picture = path();
    const frames = Array.from({ length: 21 }, (_, index) => frame(index, 40));
    write(picture, frames.slice(0, 19));
    assert.equal(passed.length, 0);
    write(picture, frames.slice(19));
    assert.deepEqual(
      passed,
      frames.map(({ timestamp }) => timestamp + 40),
    );
  });

  it('is encoded again from the next keyframe on if B-frames begin later', () => {
    const picture = path();
    write(picture, [frame(0), frame(1), frame(2, 80), frame(3, 0), frame(4)]);
    assert.deepEqual([passed, transcoders.length], [[0, 40, 160], 0]);
    write(picture, [frame(5, 40, true), frame(6)]);
    assert.deepEqual([transcoders[0]?.startMs, transcoders[0]?.written.length], [200, 2]);
  });

  it('goes on with another transcoder at the next keyframe if one ends', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    transcoders[0]!.listener.onFrame(made(40));
    transcoders[0]!.listener.onEnd('code 1');
    write(picture, [frame(4), frame(5, 40, true), frame(6)]);
    assert.deepEqual(told, ['transcoded', 'code 1']);
    assert.deepEqual([transcoders.length, transcoders[1]?.written.length], [2, 2]);
    transcoders[0]!.listener.onFrame(made(80));
    assert.deepEqual(passed, [40], 'the one that ended gives nothing');
  });

  it('is refused if no transcoder ever works', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    for (let index = 5; index < 50; index += 5) {
      transcoders.at(-1)!.listener.onEnd('code 1');
      picture.write(frame(index, 40, true));
    }
    assert.deepEqual([transcoders.length, faults], [5, ['b_frames']]);
  });

  it('waits if transcoders end too often after one worked', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    transcoders[0]!.listener.onFrame(made(40));
    for (let index = 5; index < 50; index += 5) {
      transcoders.at(-1)!.listener.onEnd('code 1');
      picture.write(frame(index, 40, true));
    }
    assert.deepEqual([transcoders.length, faults], [5, []]);
    // A minute later, in steps that are no jump.
    for (let index = 100; index <= 1_600; index += 100) picture.write(frame(index, 40, true));
    assert.equal(transcoders.length, 6);
  });

  it('has another transcoder for another size of the picture, and not for the same again', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    picture.configure({ codec: 'h264', config: config() });
    write(picture, [frame(4, 40, true)]);
    assert.deepEqual([transcoders.length, transcoders[0]?.closed], [1, false]);
    picture.configure({ codec: 'h264', config: config(0x1e) });
    write(picture, [frame(5), frame(6, 40, true)]);
    assert.deepEqual([transcoders.length, transcoders[0]?.closed, transcoders[1]?.level], [2, true, 0x1e]);
    assert.equal(transcoders[1]?.written.length, 1);
  });

  it('is the same track to viewers if the size changes', () => {
    const picture = path();
    picture.configure({ codec: 'h264', config: config(0x1e) });
    assert.deepEqual(picture.track, { codec: 'h264', profile: '6400' });
    write(picture, [frame(0), frame(1)]);
    assert.equal(passed.length, 2);
  });

  it('gives nothing after it was closed', () => {
    const picture = path();
    write(picture, WITH_B_FRAMES);
    picture.close();
    assert.equal(transcoders[0]?.closed, true);
    transcoders[0].listener.onFrame(made(40));
    write(picture, [frame(5, 40, true)]);
    assert.deepEqual([passed, transcoders.length], [[], 1]);
  });
});
