import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { startsKeyframe } from '../../../../../server/media/embedded/rtp/keyframe.js';
import type { VideoCodec } from '../../../../../server/media/media-engine.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';

const CODECS: readonly VideoCodec[] = ['vp8', 'h264', 'vp9', 'av1'];

function starts(codec: VideoCodec, ...payload: number[]): boolean {
  return startsKeyframe(codec, rtpPacket({ payload: Buffer.from(payload) }));
}

describe('the beginning of a keyframe', () => {
  for (const codec of CODECS) {
    it(`is told from another picture in ${codec}`, () => {
      assert.equal(startsKeyframe(codec, rtpPacket({ payload: KEYFRAME_PAYLOADS[codec] })), true);
      assert.equal(startsKeyframe(codec, rtpPacket({ payload: DELTA_PAYLOADS[codec] })), false);
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

  it('is not an H.264 keyframe’s later fragment, nor an aggregate of other pictures', () => {
    assert.equal(starts('h264', 0x7c, 0x05, 0x88), false);
    assert.equal(starts('h264', 0x7c, 0x45, 0x88), false);
    assert.equal(starts('h264', 0x78, 0, 2, 0x41, 0x9a), false);
  });

  it('is the lowest spatial layer of VP9, and no layer above it', () => {
    assert.equal(starts('vp9', 0xa8, 0x12, 0x00), true);
    assert.equal(starts('vp9', 0xa8, 0x12, 0x03), false);
    assert.equal(starts('vp9', 0xa8, 0x81, 0x12, 0x00), true);
  });

  it('is not in a packet that is padding alone', () => {
    for (const codec of CODECS) {
      assert.equal(startsKeyframe(codec, rtpPacket({ payload: Buffer.alloc(0), padding: 8 })), false);
    }
  });

  it('is looked for in whatever arrives', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CODECS), fc.uint8Array({ maxLength: 40 }), (codec, payload) => {
        startsKeyframe(codec, rtpPacket({ payload }));
      }),
      { numRuns: 5_000 },
    );
  });
});
