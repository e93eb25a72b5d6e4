import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { RtpRewriter } from '../../../../../server/media/embedded/consumer/rtp-rewriter.js';
import { emptyMediaPacket, type MediaPacket } from '../../../../../server/media/embedded/producer/media-packet.js';
import { OutgoingPacket } from '../../../../../server/media/embedded/rtp/outgoing-packet.js';
import { emptyPayloadInfo, type PayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { readFormat } from '../../../../../server/media/sdp/codecs.js';

const SSRC = 0x01020304;
const HEADER = 12;

/** With a picture id of seven bits in its second byte, if it has one. */
function media(sequence: number, payload: Partial<PayloadInfo> = {}): MediaPacket {
  return {
    ...emptyMediaPacket(new OutgoingPacket()),
    sequence,
    timestamp: 3_000 * sequence,
    packet: Buffer.alloc(HEADER + 4),
    payloadAt: HEADER,
    payload: { ...emptyPayloadInfo(), ...payload },
  };
}
const picture = (sequence: number, pictureId: number): MediaPacket =>
  media(sequence, { pictureIdAt: 1, pictureIdBits: 7, pictureId });

describe('the packets of a receiver', () => {
  let rewriter: RtpRewriter;
  beforeEach(() => (rewriter = new RtpRewriter(SSRC, 90_000)));

  const start = (first: MediaPacket, codec = 'VP8', payloadType = 96) =>
    rewriter.startEncoding(first, readFormat(`${codec}/90000`, payloadType, '')!, undefined, 0);
  /** What is sent. Undefined: nothing. */
  function sent(of: MediaPacket): Buffer | undefined {
    const copy = Buffer.from(of.packet);
    const sequence = rewriter.sequenceOf(of);
    return sequence !== undefined && rewriter.write(copy, sequence, of) ? copy : undefined;
  }

  it('have the number, timestamp, payload type and SSRC of the receiver', () => {
    start(media(500), 'VP8', 101);
    const packet = sent(media(501))!;
    assert.deepEqual(
      [packet[1], packet.readUInt16BE(2), packet.readUInt32BE(4), packet.readUInt32BE(8)],
      [101, 501, 3_000 * 501, SSRC],
    );
    assert.equal(rewriter.timestampOf(9_000), 9_000);
  });

  it('are remembered by the newest one', () => {
    assert.deepEqual(
      [rewriter.newestSequence, rewriter.newestTimestamp, rewriter.lastSentAt, rewriter.extend(7)],
      [undefined, 0, undefined, 7],
    );
    start(media(500));
    for (const [number, now] of [
      [500, 10],
      [502, 30],
      [501, 40],
    ] as const) {
      rewriter.onSent(rewriter.sequenceOf(media(number))!, media(number), now);
    }
    assert.deepEqual(
      [rewriter.newestSequence, rewriter.newestTimestamp, rewriter.lastSentAt, rewriter.extend(499)],
      [502, 3_000 * 502, 30, 499],
    );
  });

  it('of VP8 have no gap in the picture ids where pictures are left out, as its decoders demand', () => {
    start(picture(500, 10));
    assert.equal(sent(picture(500, 10))![HEADER + 1], 10);
    rewriter.drop(picture(501, 11));
    assert.equal(sent(picture(502, 12))![HEADER + 1], 11);
  });

  it('of VP9 keep the pattern of picture ids, on which its decoders rely', () => {
    start(picture(500, 10), 'VP9');
    assert.equal(sent(picture(500, 10))![HEADER + 1], 10);
    rewriter.drop(picture(501, 11));
    const packet = sent(picture(502, 12))!;
    assert.deepEqual([packet[HEADER + 1], packet.readUInt16BE(2)], [12, 501]);
  });

  it('have frame numbers that rise when another encoding takes over, and where one begins anew', () => {
    const numberOf = (frameNumber: number) => rewriter.frameNumberOf(media(0, { frameNumber }));
    start(media(500, { frameNumber: 40 }), 'AV1');
    assert.deepEqual([numberOf(40), numberOf(41)], [40, 41]);
    start(media(900, { frameNumber: 5 }), 'AV1');
    assert.equal(numberOf(5), 42);
    const anew = media(30_000, { frameNumber: 7 });
    assert.equal(rewriter.isDiscontinuity(anew), true);
    rewriter.resumeEncoding(anew, 100);
    assert.equal(numberOf(7), 43);
  });
});
