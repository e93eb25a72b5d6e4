import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { frameOf } from '../../../../../server/media/embedded/frames/frame-of.js';
import { leb128Of } from '../../../../../server/media/embedded/frames/leb128.js';
import { payloadsOf } from '../../../../../server/media/embedded/frames/payloads-of.js';
import { emptyPayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../../../../server/media/embedded/rtp/payload.js';
import type { VideoCodec } from '../../../../../server/media/engine/media-track.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const content = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes));

/** NAL units cannot contain start codes, nor end with a zero. */
const h264Frame = fc
  .array(
    content.map((bytes) => Buffer.concat([Buffer.from([0x65]), Buffer.from(bytes.map((byte) => byte | 1))])),
    { minLength: 1, maxLength: 6 },
  )
  .map((units) => Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit])));

const av1Frame = fc
  .array(fc.tuple(fc.constantFrom(0x0a, 0x32, 0x36), content), { minLength: 1, maxLength: 6 })
  .map((obus) =>
    Buffer.concat(
      obus.flatMap(([header, bytes]) => [
        Buffer.from(header & 4 ? [header, 0x20] : [header]),
        leb128Of(bytes.length),
        bytes,
      ]),
    ),
  );

const FRAMES: Readonly<Record<VideoCodec, fc.Arbitrary<Buffer>>> = {
  vp8: content,
  vp9: content,
  h264: h264Frame,
  av1: av1Frame,
};

for (const codec of Object.keys(FRAMES) as VideoCodec[]) {
  describe(`the payloads of a ${codec} frame`, () => {
    const read = (payload: Buffer) => {
      const info = emptyPayloadInfo();
      readPayload(codec, rtpPacket({ payload }), info);
      return info;
    };

    it('give the same frame again, and none is too long', () => {
      fc.assert(
        fc.property(FRAMES[codec], fc.integer({ min: 30, max: 500 }), fc.nat(70_000), (data, most, number) => {
          const payloads = payloadsOf(codec, { data, isKeyframe: true, number }, most);
          for (const payload of payloads) assert.ok(payload.length <= most, `${payload.length} of ${most}`);
          const bare = payloads.map((payload) => payload.subarray(read(payload).dataAt));
          assert.deepEqual(frameOf(codec, bare), data);
        }),
      );
    });

    it('begin a frame with the first, and only there', () => {
      fc.assert(
        fc.property(FRAMES[codec], (data) => {
          const [first, ...others] = payloadsOf(codec, { data, isKeyframe: false, number: 1 }, 40).map(read);
          assert.equal(first?.startsFrame, true);
          if (codec === 'vp8' || codec === 'vp9') assert.ok(others.every(({ startsFrame }) => !startsFrame));
        }),
      );
    });
  });
}

describe('a keyframe', () => {
  it('is marked in VP9 and AV1, whose payload headers say so', () => {
    const starts = (codec: VideoCodec, data: Buffer, isKeyframe: boolean) => {
      const info = emptyPayloadInfo();
      readPayload(codec, rtpPacket({ payload: payloadsOf(codec, { data, isKeyframe, number: 1 })[0]! }), info);
      return info.startsKeyframe;
    };
    const obu = Buffer.from([0x32, 1, 7]);
    for (const isKeyframe of [true, false]) {
      assert.equal(starts('vp9', Buffer.from([0x82, 1, 2]), isKeyframe), isKeyframe);
      assert.equal(starts('av1', obu, isKeyframe), isKeyframe);
    }
  });
});

describe('small NAL units', () => {
  it('are sent together, as important as the most important of them', () => {
    const data = Buffer.from('00000001 6742 000001 28ce 00000001 0601'.replaceAll(' ', ''), 'hex');
    const [payload, ...others] = payloadsOf('h264', { data, isKeyframe: true, number: 0 });
    assert.equal(others.length, 0);
    assert.equal(payload?.toString('hex'), '7800026742000228ce00020601');
  });
});

describe('the payloads of whatever bytes', () => {
  it('are never an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom('h264', 'av1', 'vp8', 'vp9'), fc.uint8Array({ maxLength: 80 }), (codec, bytes) => {
        payloadsOf(codec, { data: Buffer.from(bytes), isKeyframe: true, number: 3 }, 20);
      }),
    );
  });
});
