import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pictureLossIndication, readRtcp } from '../../../server/media/embedded/rtcp/rtcp.js';
import {
  isRtcp,
  sequenceDistance,
  sequenceNumber,
  ssrc,
  timestamp,
} from '../../../server/media/embedded/rtp/packet.js';
import { RecordedEncoder, RECORDINGS, type RecordingName } from '../../support/media/recorded-encoder.js';

const LONG_MS = 20_000;

describe('a recorded encoder', () => {
  for (const name of Object.keys(RECORDINGS) as RecordingName[]) {
    it(`sends without end, and without a gap in its numbers, its time and its reports: ${name}`, () => {
      const encoder = new RecordedEncoder(name);
      const last = new Map<number, Buffer>();
      const clocks = new Map<number, number>();
      for (const packet of encoder.packetsUntil(LONG_MS)) {
        if (isRtcp(packet)) {
          const [message] = readRtcp(packet);
          assert.equal(message?.type, 'sender-report');
          if (message?.type !== 'sender-report') continue;
          const { ntpSeconds, ntpFraction, rtpTimestamp } = message.report;
          const rate = encoder.videoSsrcs.includes(message.ssrc) ? 90_000 : 48_000;
          // Both clocks of the reports stay together.
          const offset = (((ntpSeconds & 0xfff) + ntpFraction / 2 ** 32) * rate - rtpTimestamp) % 2 ** 32;
          const before = clocks.get(message.ssrc) ?? offset;
          clocks.set(message.ssrc, before);
          const apart = Math.abs(offset - before) % 2 ** 32;
          assert.ok(Math.min(apart, 2 ** 32 - apart) < 0.001 * rate, `${apart}`);
          continue;
        }
        const before = last.get(ssrc(packet));
        last.set(ssrc(packet), packet);
        if (!before) continue;
        assert.equal(sequenceDistance(sequenceNumber(packet), sequenceNumber(before)), 1);
        const elapsed = (timestamp(packet) - timestamp(before)) | 0;
        assert.ok(elapsed >= 0 && elapsed < 90_000, `${elapsed}`);
      }
      assert.equal(clocks.size, last.size);
      assert.equal(encoder.videoSsrcs.length > 1, name.endsWith('simulcast'));
    });
  }

  it('goes on at a keyframe of the encoding that is asked for, unless it does not answer', () => {
    for (const answersKeyframeRequests of [true, false]) {
      const encoder = new RecordedEncoder('chromium-vp8-simulcast', { answersKeyframeRequests });
      encoder.packetsUntil(1_500);
      const [asked] = encoder.videoSsrcs;
      encoder.receive(pictureLossIndication(1, asked!));
      const next = new Map<number, Buffer>();
      for (const packet of encoder.packetsUntil(1_650)) {
        if (!isRtcp(packet) && !next.has(ssrc(packet))) next.set(ssrc(packet), packet);
      }
      // A keyframe of VP8 has its start code behind the frame tag.
      const startsKeyframe = (from: number) => next.get(from)!.includes(Buffer.from([0x9d, 0x01, 0x2a]));
      assert.deepEqual(encoder.videoSsrcs.map(startsKeyframe), [answersKeyframeRequests, false, false]);
    }
  });
});
