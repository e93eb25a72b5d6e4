import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SourceFrames, videoTrackOf } from '../../../../server/ingest/rtmp/source-frames.js';
import type { MediaFrame } from '../../../../server/rtmp/flv-media.js';

const SPS = Buffer.from([0x67, 0x64, 0x00, 0x2a, 0xac]);
const PPS = Buffer.from([0x68, 0xee]);
const IDR = Buffer.from([0x65, 0x88]);
const SLICE = Buffer.from([0x41, 0x9a]);
const DELIMITER = Buffer.from([0x09, 0xf0]);
const H264 = {
  codec: 'h264',
  config: { sequenceParameterSets: [SPS], pictureParameterSets: [PPS], lengthBytes: 4 },
} as const;

type H264Frame = Extract<MediaFrame, { readonly codec: 'h264' }>;

const frame = (fields: Partial<H264Frame> = {}): H264Frame => ({
  kind: 'frame',
  codec: 'h264',
  timestamp: 0,
  compositionTime: 0,
  isKeyframe: false,
  data: [SLICE],
  ...fields,
});
const annexB = (...units: Buffer[]) => Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));

describe('the frames of an encoder', () => {
  let frames: SourceFrames;
  beforeEach(() => {
    frames = new SourceFrames();
    frames.configure(H264);
  });

  it('have the parameter sets before each keyframe, and before no other frame', () => {
    assert.deepEqual(frames.ofVideo(frame({ isKeyframe: true, data: [IDR] }))?.data, annexB(SPS, PPS, IDR));
    assert.deepEqual(frames.ofVideo(frame({ timestamp: 33 }))?.data, annexB(SLICE));
  });

  it('keep the parameter sets that a keyframe has', () => {
    const own = Buffer.from([0x67, 0x42]);
    const data = [own, PPS, IDR];
    assert.deepEqual(frames.ofVideo(frame({ isKeyframe: true, data }))?.data, annexB(...data));
  });

  it('have no access unit delimiters, and are none with nothing else', () => {
    assert.deepEqual(frames.ofVideo(frame({ data: [DELIMITER, SLICE] }))?.data, annexB(SLICE));
    assert.equal(frames.ofVideo(frame({ data: [DELIMITER] })), undefined);
  });

  it('are shown when the encoder says', () => {
    assert.equal(frames.ofVideo(frame({ timestamp: 1_000, compositionTime: 40 }))?.timestampMs, 1_040);
    assert.equal(frames.ofVideo(frame({ timestamp: 1_033, compositionTime: 40 }))?.timestampMs, 1_073);
    assert.equal(frames.hasBFrames, false);
  });

  it('are B-frames if one is shown before one that came earlier', () => {
    for (const [timestamp, compositionTime] of [
      [0, 66],
      [33, 132],
      [66, 33],
    ] as const) {
      frames.ofVideo(frame({ timestamp, compositionTime }));
    }
    assert.equal(frames.hasBFrames, true);
  });

  it('share one line of timestamps with the sound, also over a jump', () => {
    assert.equal(frames.ofVideo(frame({ timestamp: 1_000 }))?.timestampMs, 1_000);
    assert.equal(frames.timeOf('audio', 1_000), 1_000);
    const after = frames.ofVideo(frame({ timestamp: 900_000 }))!.timestampMs;
    assert.ok(after < 1_100);
    assert.ok(Math.abs(frames.timeOf('audio', 900_010) - after) < 20);
  });

  it('of AV1 have the sequence header of the configuration before a keyframe without one', () => {
    const config = Buffer.from([0x81, 0, 0, 0, 0x0a, 1, 7]);
    const key = (data: Buffer) =>
      frames.ofVideo({ kind: 'frame', codec: 'av1', timestamp: 0, compositionTime: 0, isKeyframe: true, data })?.data;
    frames.configure({ codec: 'av1', config });
    const picture = Buffer.from([0x32, 1, 9]);
    assert.deepEqual(key(picture), Buffer.concat([config.subarray(4), picture]));
    const complete = Buffer.concat([config.subarray(4), picture]);
    assert.deepEqual(key(complete), complete);
    const delimiter = Buffer.from([0x12, 0]);
    assert.deepEqual(key(Buffer.concat([delimiter, complete])), complete);
    assert.equal(key(delimiter), undefined);
  });
});

describe('the video track of an encoder', () => {
  it('names the profile of H.264, by which viewers’ decoders are chosen', () => {
    assert.deepEqual(videoTrackOf(H264), { codec: 'h264', profile: '6400' });
    assert.deepEqual(videoTrackOf({ codec: 'vp9', config: Buffer.alloc(0) }), { codec: 'vp9' });
  });
});
