import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameAssembler, type AssembledFrame } from '../../../../../server/media/embedded/tap/frame-assembler.js';
import type { VideoCodec } from '../../../../../server/media/engine/media-track.js';
import { KEYFRAME_PAYLOADS } from '../../../../support/media/rtp.js';

interface Sent {
  readonly payload: Buffer;
  readonly timestamp: number;
  readonly marker?: boolean;
}

function rtp({ payload, timestamp, marker = false }: Sent): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80;
  header[1] = (marker ? 0x80 : 0) | 96;
  header.writeUInt32BE(timestamp, 4);
  return Buffer.concat([header, payload]);
}

function assembler(codec: VideoCodec) {
  const frames: AssembledFrame[] = [];
  let lost = 0;
  const made = new FrameAssembler(
    codec,
    (frame) => frames.push(frame),
    () => (lost += 1),
  );
  const push = (...packets: Sent[]) => packets.forEach((packet) => made.push(rtp(packet)));
  return { made, frames, push, lost: () => lost };
}

const vp8Key = (timestamp: number): Sent => ({ payload: KEYFRAME_PAYLOADS.vp8, timestamp, marker: true });
const vp8Delta = (timestamp: number, marker = true): Sent => ({
  payload: Buffer.from([0x10, 0x01, 0, 0, 7]),
  timestamp,
  marker,
});

describe('the frames of an encoding', () => {
  it('begin with a keyframe, and have its size', () => {
    const { made, frames, push, lost } = assembler('vp8');
    push(vp8Delta(0), vp8Key(3_000), vp8Delta(6_000));
    made.end();
    assert.deepEqual(
      frames.map(({ isKeyframe, timestamp, width, height }) => [isKeyframe, timestamp, width, height]),
      [
        [true, 3_000, 320, 180],
        [false, 6_000, 0, 0],
      ],
    );
    assert.deepEqual(frames[0]!.data, KEYFRAME_PAYLOADS.vp8.subarray(1));
    assert.equal(lost(), 1);
  });

  it('are left out after a gap, until the next keyframe', () => {
    const { made, frames, push, lost } = assembler('vp8');
    push(vp8Key(0), vp8Delta(3_000, false));
    made.gap();
    assert.equal(made.needsKeyframe, true);
    push(vp8Delta(6_000), vp8Delta(9_000), vp8Key(12_000));
    made.end();
    assert.deepEqual(
      frames.map(({ timestamp }) => timestamp),
      [0, 12_000],
    );
    assert.equal(lost(), 3);
  });

  it('before a gap are kept if they are complete', () => {
    const { made, frames, push } = assembler('vp8');
    push(vp8Key(0), vp8Delta(3_000));
    made.gap();
    assert.equal(frames.length, 2);
  });

  it('ignore packets that are padding only', () => {
    const { made, frames, push } = assembler('vp8');
    push(vp8Key(0));
    const padding = rtp({ payload: Buffer.from([0, 0, 0, 4]), timestamp: 0 });
    padding[0]! |= 0x20;
    made.push(padding);
    push(vp8Delta(3_000));
    made.end();
    assert.equal(frames.length, 2);
  });

  it('include parameter sets that a sender marks as a frame of their own', () => {
    const { made, frames, push } = assembler('h264');
    const [sps, idr] = [Buffer.from([0x67, 1, 2, 3]), Buffer.from([0x65, 9, 9])];
    push({ payload: sps, timestamp: 0, marker: true }, { payload: idr, timestamp: 0, marker: true });
    made.end();
    assert.deepEqual(
      frames.map(({ data }) => Array.from(data)),
      [[0, 0, 0, 1, ...sps, 0, 0, 0, 1, ...idr]],
    );
  });

  it('of several spatial layers are one superframe', () => {
    const { made, frames, push } = assembler('vp9');
    // I L F B E: a keyframe's two layers, each of one packet.
    const layer = (spatialId: number, isInter: boolean, ...data: number[]) =>
      Buffer.from([
        0x80 | (isInter ? 0x40 : 0) | 0x20 | 0x10 | 0x0c,
        1,
        spatialId << 1,
        ...(isInter ? [2] : []),
        ...data,
      ]);
    push(
      { payload: layer(0, false, 10, 11), timestamp: 0 },
      { payload: layer(1, true, 20, 21, 22), timestamp: 0, marker: true },
    );
    made.end();
    const marker = 0xc0 | (3 << 3) | 1;
    assert.deepEqual([...frames[0]!.data], [10, 11, 20, 21, 22, marker, 2, 0, 0, 0, 3, 0, 0, 0, marker]);
    assert.equal(frames[0]!.isKeyframe, true);
  });

  for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
    it(`of ${codec} that do not arrive whole are lost, and no more than they`, () => {
      const { made, frames, push, lost } = assembler(codec);
      // One OBU, which begins a new sequence.
      const payload = codec === 'av1' ? Buffer.from([0x18, 0x30, 1]) : KEYFRAME_PAYLOADS[codec];
      push({ payload, timestamp: 0, marker: false });
      made.gap();
      push({ payload, timestamp: 3_000, marker: true });
      made.end();
      assert.deepEqual([frames.length, lost()], [1, 1]);
    });
  }
});
