import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sequenceNumber, setSequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack, pictureLossIndication, senderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { REPAIRED_RID_EXTENSION, RID_EXTENSION, sdpOffer } from '../../../../support/media/offer.js';
import { rtpPacket, type RtpParts } from '../../../../support/media/rtp.js';

const SSRCS = [500, 100, 102] as const;
const VIDEO = { kinds: ['video'], videoCodecs: ['vp8'] } as const;
const OFFER = sdpOffer({ ...VIDEO, direction: 'sendonly', simulcastSsrcs: SSRCS, retransmissions: true });
const WIDTHS = [320, 640, 1_280] as const;

/** VP8 with a 15-bit picture id. The payload contains the encoding, and whether it is a keyframe. */
function vp8(encoding: number, picture: number, keyframe: boolean): Buffer {
  const width = WIDTHS[encoding]!;
  const header = [0x9d, 0x01, 0x2a, width & 0xff, width >> 8, ((width * 9) / 16) & 0xff, ((width * 9) / 16) >> 8];
  const frame = keyframe ? [0x00, 0, 0, ...header] : [0x01, 0, 0];
  return Buffer.from([0x90, 0xc0, 0x80 | ((picture >> 8) & 0x7f), picture & 0xff, picture & 0xff, ...frame, encoding]);
}

const encodingOf = (packet: Buffer): number => packet.at(-1)!;
const pictureOf = (packet: Buffer): number => {
  return packet.readUInt16BE(payloadAt(packet) + 2) & 0x7fff;
};
const baseLayerOf = (packet: Buffer): number => packet[payloadAt(packet) + 4]!;
/** Behind the header, whose random numbers may look like a payload. */
const payloadAt = (packet: Buffer): number => packet.indexOf(Buffer.from([0x90, 0xc0]), 12);

describe('a simulcast', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  /** Each encoding has its own start numbers. */
  let next: { sequence: number; picture: number; timestamp: number }[];
  let now: number;

  beforeEach(() => {
    stream = new RouterFixture();
    publisher = stream.publish(OFFER);
    next = [
      { sequence: 100, picture: 10, timestamp: 1_000 },
      { sequence: 40_000, picture: 2_000, timestamp: 500_000 },
      { sequence: 65_530, picture: 32_760, timestamp: 4_294_967_000 },
    ];
    now = 0;
  });

  function frame(encoding: number, { keyframe = false, ...parts }: RtpParts & { keyframe?: boolean } = {}) {
    const numbers = next[encoding]!;
    const { sequence, picture } = numbers;
    numbers.sequence++;
    numbers.picture++;
    const payload = vp8(encoding, picture, keyframe);
    publisher.send(
      rtpPacket({ payload, sequence, timestamp: numbers.timestamp, ssrc: SSRCS[encoding]!, marker: true, ...parts }),
      now,
    );
  }

  /** Sends a picture in each encoding, and advances the time by a thirtieth of a second. */
  function picture(encodings: readonly number[] = [0, 1, 2], keyframe = false) {
    for (const encoding of encodings) frame(encoding, { keyframe });
    for (const numbers of next) numbers.timestamp = (numbers.timestamp + 3_000) >>> 0;
    now += 33;
    stream.router.tick(now);
  }

  const pictures = (count: number, encodings?: readonly number[]) => {
    for (let index = 0; index < count; index++) picture(encodings);
  };
  const view = (options: Parameters<RouterFixture['view']>[1] = {}) => stream.view(VIDEO, { now, ...options });
  const last = ({ sink }: ReturnType<typeof view>) => encodingOf(sink.rtp.at(-1)!);

  function assertUnbroken(packets: readonly Buffer[], longestMs = 100) {
    packets.slice(1).forEach((packet, index) => {
      const before = packets[index]!;
      assert.equal((sequenceNumber(packet) - sequenceNumber(before)) & 0xffff, 1, `sequence ${index}`);
      assert.equal((pictureOf(packet) - pictureOf(before)) & 0x7fff, 1, `picture ${index}`);
      assert.equal((baseLayerOf(packet) - baseLayerOf(before)) & 0xff, 1, `base layer ${index}`);
      const elapsed = (timestamp(packet) - timestamp(before)) | 0;
      assert.ok(elapsed > 0 && elapsed <= 90 * longestMs, `time ${index}: ${elapsed}`);
    });
  }

  it('is shown in its best encoding to a viewer without a choice', () => {
    const viewer = view();
    picture([0, 1, 2], true);
    pictures(40);
    assert.equal(last(viewer), 2);
    assertUnbroken(viewer.sink.rtp);
  });

  it('begins with the first encoding that arrives, and changes as soon as a better one does', () => {
    const viewer = view();
    picture([0], true);
    pictures(5, [0]);
    assert.equal(last(viewer), 0);
    picture([0, 1], false);
    assert.equal(last(viewer), 0, 'not before a keyframe');
    assert.ok(publisher.sink.keyframeRequests.includes(SSRCS[1]));
    picture([0, 1], true);
    assert.equal(last(viewer), 1);
    assertUnbroken(viewer.sink.rtp);
  });

  it('changes at a keyframe of the new encoding, and sends the old one until then', () => {
    const viewer = view();
    picture([0, 1, 2], true);
    pictures(60);
    for (const encoding of [0, 2, 1, 0, 1, 2]) {
      const asked = publisher.sink.keyframeRequests.length;
      const before = last(viewer);
      const count = viewer.sink.rtp.length;
      stream.router.select(viewer.viewer, { encodingId: String(encoding) }, now);
      assert.deepEqual(publisher.sink.keyframeRequests.slice(asked), [SSRCS[encoding]]);
      pictures(3);
      assert.equal(last(viewer), before);
      assert.equal(viewer.sink.rtp.length, count + 3, 'nothing is missing meanwhile');
      picture([0, 1, 2], true);
      assert.equal(last(viewer), encoding);
      // Until the keyframe is paid.
      pictures(100);
      assert.equal(last(viewer), encoding);
    }
    assertUnbroken(viewer.sink.rtp);
  });

  it('changes as soon as it can when the viewer loses the picture while the change waits for others', () => {
    const viewer = view({ layer: { encodingId: '0' } });
    picture([0, 1, 2], true);
    pictures(60);
    // The keyframe is not paid yet.
    picture([0, 1, 2], true);
    const asked = publisher.sink.keyframeRequests.length;
    stream.router.select(viewer.viewer, { encodingId: '2' }, now);
    pictures(2);
    assert.deepEqual(publisher.sink.keyframeRequests.slice(asked), []);
    viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('video')), now);
    assert.deepEqual(publisher.sink.keyframeRequests.slice(asked), [SSRCS[2]]);
  });

  it('repeats a keyframe request every half second', () => {
    const viewer = view();
    picture([0, 1, 2], true);
    pictures(60);
    const asked = publisher.sink.keyframeRequests.length;
    stream.router.select(viewer.viewer, { encodingId: '0' }, now);
    pictures(64);
    assert.deepEqual(publisher.sink.keyframeRequests.slice(asked), [500, 500, 500, 500, 500]);
  });

  it('is shown in each viewer’s own choice', () => {
    const viewers = ['0', '1', '2'].map((encodingId) => view({ layer: { encodingId } }));
    picture([0, 1, 2], true);
    pictures(5);
    assert.deepEqual(viewers.map(last), [0, 1, 2]);
  });

  it('returns to the best encoding when the choice is withdrawn', () => {
    const viewer = view({ layer: { encodingId: '0' } });
    picture([0, 1, 2], true);
    pictures(60);
    assert.equal(last(viewer), 0);
    stream.router.select(viewer.viewer, {}, now);
    picture([0, 1, 2], true);
    assert.equal(last(viewer), 2);
  });

  it('is numbered for each viewer alone, whatever other viewers watched before', () => {
    const viewers = [view(), view()];
    picture([0, 1, 2], true);
    pictures(60);
    for (const { viewer } of viewers) {
      stream.router.select(viewer, { encodingId: '0' }, now);
      picture([0, 1, 2], true);
      pictures(20);
    }
    for (const viewer of viewers) {
      assert.equal(last(viewer), 0);
      assertUnbroken(viewer.sink.rtp);
    }
  });

  it('changes to another encoding within half a second when one stops', () => {
    const viewer = view();
    picture([0, 1, 2], true);
    pictures(60);
    assert.equal(last(viewer), 2);
    const silentSince = now;
    while (!publisher.sink.keyframeRequests.includes(SSRCS[1]) && now < silentSince + 2_000) picture([0, 1]);
    assert.ok(now - silentSince < 500, `${now - silentSince} ms`);
    picture([0, 1], true);
    assert.equal(last(viewer), 1);
    assertUnbroken(viewer.sink.rtp, 500);
  });

  it('keeps the timing of pictures over a change if the clocks of both encodings are known', () => {
    const viewer = view({ layer: { encodingId: '2' } });
    for (const encoding of [0, 2]) frame(encoding, { keyframe: true });
    const clock = { ntpSeconds: 10, ntpFraction: 0, packets: 1, bytes: 1 };
    for (const encoding of [0, 2]) {
      const rtpTimestamp = next[encoding]!.timestamp;
      publisher.send(senderReport(SSRCS[encoding]!, { ...clock, rtpTimestamp }, 'camera'), now);
    }
    pictures(60);
    stream.router.select(viewer.viewer, { encodingId: '0' }, now);
    // It arrives late: the capture time counts.
    now += 150;
    picture([0, 1, 2], true);
    pictures(1);
    const packets = viewer.sink.rtp.slice(-3);
    assert.deepEqual(packets.map(encodingOf), [2, 0, 0]);
    assert.deepEqual(
      packets.map((packet) => (timestamp(packet) - timestamp(packets[0]!)) >>> 0),
      [0, 3_000, 6_000],
    );
  });

  it('has the losses of each encoding requested and reported', () => {
    picture([0, 1, 2], true);
    for (const numbers of next) numbers.sequence += 2;
    picture();
    const asked = publisher.sink.messages.flatMap((message) => (message.type === 'nack' ? [message] : []));
    assert.deepEqual(
      asked.map(({ mediaSsrc, sequenceNumbers }) => [mediaSsrc, sequenceNumbers]),
      [
        [500, [101, 102]],
        [100, [40_001, 40_002]],
        [102, [65_531, 65_532]],
      ],
    );
    pictures(40);
    const report = publisher.sink.messages.findLast((message) => message.type === 'receiver-report');
    assert.deepEqual(
      report?.reports.map(({ ssrc }) => ssrc),
      [...SSRCS],
    );
  });

  it('accepts resent packets on the RTX SSRC', () => {
    const viewer = view({ layer: { encodingId: '0' } });
    picture([0], true);
    const lost = next[0]!.sequence++;
    const lostPicture = next[0]!.picture++;
    picture([0]);
    const payload = Buffer.concat([Buffer.from([lost >> 8, lost & 0xff]), vp8(0, lostPicture, false)]);
    const { timestamp } = next[0]!;
    publisher.send(rtpPacket({ payloadType: 97, ssrc: 501, sequence: 7, timestamp, payload }), now);
    assert.deepEqual(viewer.sink.rtp.map(sequenceNumber), [100, 102, 101]);
    const asked = publisher.sink.messages.length;
    stream.run(now + 100, now + 200);
    assert.ok(!publisher.sink.messages.slice(asked).some(({ type }) => type === 'nack'), 'and is not asked for again');
  });

  it('ignores packets of unknown SSRCs', () => {
    const viewer = view();
    frame(0, { keyframe: true, ssrc: 999 });
    frame(0, { keyframe: true, payloadType: 97 });
    assert.equal(viewer.sink.rtp.length, 0);
    assert.deepEqual(stream.events, []);
  });

  it('is resent from the encoding that the viewer receives, also after a change', () => {
    const viewer = view({ layer: { encodingId: '0' } });
    picture([0, 1, 2], true);
    pictures(60);
    stream.router.select(viewer.viewer, { encodingId: '1' }, now);
    picture([0, 1, 2], true);
    pictures(10);
    const sent = viewer.sink.rtp;
    const wanted = sent.slice(-5);
    viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), wanted.map(sequenceNumber)), now);
    assert.deepEqual(viewer.sink.rtp.slice(sent.length), wanted);
  });

  it('has keyframes requested only of the encoding that the viewer receives', () => {
    const viewer = view({ layer: { encodingId: '1' } });
    picture([0, 1, 2], true);
    pictures(30);
    const asked = publisher.sink.keyframeRequests.length;
    viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('video')), now);
    assert.deepEqual(publisher.sink.keyframeRequests.slice(asked), [SSRCS[1]]);
  });

  it('is reported once a second, with bitrate, size and activity of each encoding', () => {
    picture([0, 1, 2], true);
    pictures(70);
    const { layers } = stream.layers.at(-1)!;
    assert.deepEqual(
      layers.map(({ encodingId, simulcastIndex, active, width, height }) => [
        encodingId,
        simulcastIndex,
        active,
        width,
        height,
      ]),
      [
        ['0', 0, true, 320, 180],
        ['1', 1, true, 640, 360],
        ['2', 2, true, 1_280, 720],
      ],
    );
    assert.ok(layers.every(({ bitrate, packets }) => bitrate > 0 && packets >= 28 && packets <= 32));
    pictures(70, [0, 1]);
    const [, , top] = stream.layers.at(-1)!.layers;
    assert.deepEqual([top!.active, top!.bitrate, top!.packets], [false, 0, 0]);
    assert.ok(top!.totalBytes > 0);
  });
});

describe('a simulcast by rid', () => {
  const extension = (id: number, value: string) => {
    const bytes = Buffer.alloc(4 * Math.ceil((1 + value.length) / 4));
    bytes[0] = (id << 4) | (value.length - 1);
    bytes.write(value, 1, 'latin1');
    return bytes;
  };

  it('is identified by the rid of its packets, until the SSRCs are known', () => {
    const stream = new RouterFixture();
    const publisher = stream.publish(
      sdpOffer({ ...VIDEO, direction: 'sendonly', rids: ['q', 'h'], retransmissions: true }),
    );
    const viewers = ['0', '1'].map((encodingId) => stream.view(VIDEO, { layer: { encodingId } }));
    const send = (encoding: number, sequence: number, parts: RtpParts) =>
      publisher.send(
        rtpPacket({
          sequence,
          timestamp: 3_000 * sequence,
          payload: vp8(encoding, sequence, sequence === 1),
          ...parts,
        }),
      );
    send(0, 1, { ssrc: 71 });
    send(0, 1, { ssrc: 71, extension: extension(RID_EXTENSION, 'q') });
    send(1, 1, { ssrc: 72, extension: extension(RID_EXTENSION, 'h') });
    send(1, 1, { ssrc: 73, extension: extension(RID_EXTENSION, 'f') });
    send(0, 2, { ssrc: 71 });
    send(1, 3, { ssrc: 72 });
    const again = Buffer.concat([Buffer.from([0, 2]), vp8(1, 2, false)]);
    publisher.send(
      rtpPacket({ payloadType: 97, ssrc: 74, payload: again, extension: extension(REPAIRED_RID_EXTENSION, 'h') }),
    );
    const seen = viewers.map(({ sink }) => sink.rtp.map((packet) => `${encodingOf(packet)} ${sequenceNumber(packet)}`));
    assert.deepEqual(seen[0], ['0 1', '0 2']);
    // The second viewer had the first encoding until the chosen one arrived.
    assert.deepEqual(seen[1], ['0 1', '1 2', '1 4', '1 3']);
  });
});

it('keeps the timing when a source of another codec takes over', () => {
  const stream = new RouterFixture();
  const first = stream.publish(OFFER);
  const viewer = stream.view({ kinds: ['video'] });
  first.send(rtpPacket({ payload: vp8(0, 1, true), sequence: 1, ssrc: 500 }), 0);
  first.end(10);
  const second = stream.publish(undefined, null, 'vp9');
  second.video(9, { keyframe: true }, 500);
  const packets = viewer.sink.rtp;
  assert.deepEqual(packets.map(sequenceNumber), [1, 2]);
  const copy = Buffer.from(packets[1]!);
  setSequenceNumber(copy, 9);
  assert.equal((timestamp(packets[1]!) - timestamp(packets[0]!)) >>> 0, 45_000);
});
