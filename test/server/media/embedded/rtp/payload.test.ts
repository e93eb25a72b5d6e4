import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { emptyPayloadInfo, type PayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../../../../server/media/embedded/rtp/payload.js';
import type { VideoCodec } from '../../../../../server/media/engine/media-track.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';

const CODECS: readonly VideoCodec[] = ['vp8', 'h264', 'vp9', 'av1'];

function read(codec: VideoCodec, payload: Uint8Array, padding?: number): PayloadInfo {
  const info = emptyPayloadInfo();
  // Values of another packet must not remain.
  info.startsKeyframe = true;
  info.temporalId = info.spatialId = 3;
  info.sizes.push({ width: 1, height: 1 });
  readPayload(codec, rtpPacket({ payload, ...(padding ? { padding } : {}) }), info);
  return info;
}

const of = (codec: VideoCodec, ...payload: number[]): PayloadInfo => read(codec, Buffer.from(payload));
const starts = (codec: VideoCodec, ...payload: number[]): boolean => of(codec, ...payload).startsKeyframe;
const ofHex = (codec: VideoCodec, hex: string): PayloadInfo => read(codec, Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('the offset of the codec’s data', () => {
  for (const [what, codec, payload, offset] of [
    ['the shortest VP8 descriptor', 'vp8', '10 00', 1],
    ['a VP8 descriptor with everything', 'vp8', '90 e0 8123 05 20 00', 6],
    ['a VP8 descriptor within a frame', 'vp8', '80 80 05 aa', 3],
    ['the shortest VP9 descriptor', 'vp9', '08 82', 1],
    ['a VP9 descriptor with layers', 'vp9', 'a8 8123 12 07 82', 5],
    ['a VP9 descriptor with a structure', 'vp9', '0a 10 0140 00b4 82', 6],
    ['a VP9 descriptor with a structure within a frame', 'vp9', '42 10 0140 00b4 82', 6],
    ['H.264, which has no descriptor', 'h264', '65 88', 0],
  ] as const) {
    it(`is behind ${what}`, () => assert.equal(ofHex(codec, payload).dataAt, offset));
  }
});

describe('the start of a keyframe', () => {
  for (const codec of CODECS) {
    it(`differs from another picture in ${codec}`, () => {
      assert.equal(read(codec, KEYFRAME_PAYLOADS[codec]).startsKeyframe, true);
      assert.equal(read(codec, DELTA_PAYLOADS[codec]).startsKeyframe, false);
    });
  }

  it('is found behind a VP8 descriptor with a long picture id, TL0PICIDX and TID', () => {
    assert.equal(starts('vp8', 0x90, 0xe0, 0x81, 0x23, 0x05, 0x20, 0x00), true);
    assert.equal(starts('vp8', 0x90, 0xe0, 0x81, 0x23, 0x05, 0x20, 0x01), false);
  });

  it('is not a later packet of a VP8 keyframe', () => {
    assert.equal(starts('vp8', 0x00, 0x00), false);
    assert.equal(starts('vp8', 0x11, 0x00), false);
  });

  it('is an H.264 IDR, alone, aggregated or in fragments', () => {
    assert.equal(starts('h264', 0x65, 0x88), true);
    assert.equal(starts('h264', 0x78, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xce), true);
    assert.equal(starts('h264', 0x78, 0, 2, 0x09, 0xf0, 0, 2, 0x65, 0x88), true);
    assert.equal(starts('h264', 0x7c, 0x85, 0x88), true);
  });

  it('is neither a later fragment of an H.264 keyframe nor an aggregate of other pictures', () => {
    assert.equal(starts('h264', 0x7c, 0x05, 0x88), false);
    assert.equal(starts('h264', 0x7c, 0x45, 0x88), false);
    assert.equal(starts('h264', 0x78, 0, 2, 0x41, 0x9a), false);
  });

  it('is the lowest spatial layer of VP9, and no layer above it', () => {
    assert.equal(starts('vp9', 0xa8, 0x12, 0x00), true);
    assert.equal(starts('vp9', 0xa8, 0x12, 0x03), false);
    assert.equal(starts('vp9', 0xa8, 0x81, 0x12, 0x00), true);
  });

  it('is not in a packet of padding alone', () => {
    for (const codec of CODECS) {
      assert.equal(read(codec, Buffer.alloc(0), 8).startsKeyframe, false);
    }
  });
});

describe('the layers of a packet', () => {
  it('are VP8’s temporal layer, with the layer sync that allows an upgrade', () => {
    const info = of('vp8', 0x90, 0xe0, 0x81, 0x23, 0x05, 0xa0, 0x01);
    assert.deepEqual([info.temporalId, info.isLayerSync, info.spatialId], [2, true, -1]);
    assert.deepEqual([info.pictureId, info.pictureIdBits, info.pictureIdAt], [0x123, 15, 2]);
    assert.equal(info.baseLayerIndexAt, 4);
  });

  it('do not exist in VP8 without them', () => {
    const info = of('vp8', 0x90, 0x80, 0x23, 0x01);
    assert.deepEqual([info.temporalId, info.spatialId], [-1, -1]);
    assert.deepEqual([info.pictureId, info.pictureIdBits, info.pictureIdAt], [0x23, 7, 2]);
  });

  it('are VP9’s spatial and temporal layers, with start and end of a frame', () => {
    const info = of('vp9', 0xec, 0x81, 0x23, 0x55, 0x07, 0x00);
    assert.deepEqual([info.spatialId, info.temporalId, info.isSwitchingPoint], [2, 2, true]);
    assert.deepEqual([info.startsFrame, info.endsFrame], [true, true]);
    assert.deepEqual([info.pictureId, info.baseLayerIndexAt], [0x123, 4]);
  });

  it('are AV1’s layers, by the OBU that begins in the packet', () => {
    const info = of('av1', 0x10, 0x36, 0x28, 0x00);
    assert.deepEqual([info.temporalId, info.spatialId], [1, 1]);
    assert.equal(of('av1', 0x90, 0x36, 0x28, 0x00).temporalId, -1, 'a packet that continues an OBU has no layer');
  });
});

describe('the picture size', () => {
  it('is read from a VP8 keyframe', () => {
    assert.deepEqual(of('vp8', 0x10, 0x50, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0x00, 0x05, 0xd0, 0x02).sizes, [
      { width: 1280, height: 720 },
    ]);
  });

  it('is read from what Chromium sends of 640 × 360, in every codec', () => {
    const beginnings: Readonly<Record<VideoCodec, string>> = {
      vp8: '9080c2775066009d012a80026801391f000b1c22',
      h264: '7800136742c01f8c8d405017fcb35060606078442350000468ce3c80',
      vp9: '9b93771002800168824983420027f016740a3824',
      av1: '280b080000000cc4ff67006802301048900c30c3',
    };
    for (const codec of CODECS) {
      assert.deepEqual(ofHex(codec, beginnings[codec]).sizes, [{ width: 640, height: 360 }], codec);
    }
  });

  it('is read from H.264 sequence parameters of a high profile, without the cropped part', () => {
    const parameters = '67 64 00 28 ac d9 40 78 02 27 e5 c0 44 00 00 03 00 04 00 00 03 00 f0 3c 60 c6 58';
    assert.deepEqual(ofHex('h264', parameters).sizes, [{ width: 1920, height: 1080 }]);
  });

  it('is read for each spatial layer from VP9’s scalability structure', () => {
    const structure = '8a 12 38 0140 00b4 0280 0168'.replace('38', '30');
    assert.deepEqual(ofHex('vp9', structure).sizes, [
      { width: 320, height: 180 },
      { width: 640, height: 360 },
    ]);
  });

  it('is read from a VP9 keyframe’s header without a structure', () => {
    // Profile 0: marker, sync code, BT.601, then 1279 and 719.
    const bits = `10 0 0 0 0 1 0 ${(0x498342).toString(2).padStart(24, '0')} 001 0 ${(1279).toString(2).padStart(16, '0')} ${(719).toString(2).padStart(16, '0')}`;
    const header = bits
      .replaceAll(' ', '')
      .match(/.{1,8}/g)!
      .map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
    assert.deepEqual(of('vp9', 0x8c, 0x12, ...header).sizes, [{ width: 1280, height: 720 }]);
  });
});

it('is read from any input without reading past its end', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CODECS), fc.uint8Array({ maxLength: 60 }), (codec, payload) => {
      const info = read(codec, payload);
      assert.ok(info.pictureIdAt < payload.length && info.baseLayerIndexAt < payload.length);
      assert.ok(info.sizes.every(({ width, height }) => width >= 0 && height >= 0));
    }),
    { numRuns: 10_000 },
  );
});
