import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { findExtension } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import {
  payloadStart,
  payloadType,
  sequenceNumber,
  ssrc,
  timestamp,
} from '../../../../../server/media/embedded/rtp/packet.js';
import { nack, pictureLossIndication, senderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { readTransportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';
import { FIREFOX_PAYLOAD_TYPES, sdpOffer, type OfferParts } from '../../../../support/media/offer.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';

const FIREFOX = { payloadTypes: FIREFOX_PAYLOAD_TYPES };
const VIDEO_ONLY = { kinds: ['video'] } as const;
const MID_EXTENSION = 4;

describe('a stream', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;

  beforeEach(() => {
    stream = new RouterFixture();
    publisher = stream.publish();
  });

  const sequences = (packets: readonly Buffer[]) => packets.map(sequenceNumber);

  describe('as a viewer receives it', () => {
    it('has the viewer’s payload types, one SSRC for each m-line, and no extension but the MID', () => {
      const [chromium, firefox] = [stream.view(), stream.view(FIREFOX)];
      publisher.video(1, { keyframe: true, extension: Buffer.from([0x20, 0x31, 0, 0]), marker: true });
      for (const [viewer, number] of [
        [chromium, 96],
        [firefox, 120],
      ] as const) {
        const [packet] = viewer.sink.rtp;
        assert.equal(payloadType(packet!), number);
        assert.equal(ssrc(packet!), viewer.ssrcOf('video'));
        assert.equal(String.fromCharCode(packet![findExtension(packet!, MID_EXTENSION)]!), '1');
        assert.equal(findExtension(packet!, 2), -1);
        assert.deepEqual(packet!.subarray(-KEYFRAME_PAYLOADS.vp8.length), KEYFRAME_PAYLOADS.vp8);
        assert.ok(packet![1]! & 0x80, 'the marker stays');
      }
    });

    it('has no header extension if the offer has none', () => {
      const offer = sdpOffer(VIDEO_ONLY).replaceAll(/a=extmap:.*\r\n/g, '');
      const viewer = stream.viewBy(offer);
      publisher.video(1, { keyframe: true });
      assert.equal(viewer.sink.rtp[0]![0], 0x80);
      assert.equal(payloadStart(viewer.sink.rtp[0]!), 12);
    });

    it('begins with a keyframe, and with audio at once', () => {
      const { sink } = stream.view();
      publisher.video(1);
      publisher.audio(1);
      publisher.video(2);
      publisher.video(3, { keyframe: true });
      publisher.video(4);
      assert.deepEqual(sink.rtp.map(payloadType), [111, 96, 96]);
      assert.deepEqual(sequences(sink.rtp).slice(1), [3, 4]);
    });

    it('has no video in a codec that was not negotiated, and audio all the same', () => {
      const { sink } = stream.view({ videoCodecs: ['vp9'] });
      publisher.video(1, { keyframe: true });
      publisher.audio(1);
      assert.deepEqual(sink.rtp.map(payloadType), [111]);
    });

    it('continues its sequence numbers and timestamps when another publisher takes over, in any codec', () => {
      const { sink } = stream.view({ ...FIREFOX, ...VIDEO_ONLY });
      publisher.video(65_534, { keyframe: true, timestamp: 5_000 }, 0);
      publisher.video(65_535, { timestamp: 8_000 }, 33);
      publisher.end();
      const next = stream.publish(undefined, null, 'h264');
      next.video(500, { timestamp: 77, ssrc: 9 }, 1_000);
      next.video(501, { keyframe: true, timestamp: 3_077, ssrc: 9 }, 1_033);
      next.video(502, { timestamp: 6_077, ssrc: 9 }, 1_066);
      assert.deepEqual(sequences(sink.rtp), [32_766, 32_767, 32_768, 32_769]);
      assert.deepEqual(sink.rtp.map(payloadType), [120, 120, 126, 126]);
      const [, before, after, last] = sink.rtp.map(timestamp);
      assert.equal(after! - before!, 1_000 * 90, 'a second went by');
      assert.equal(last! - after!, 3_000);
      assert.equal(new Set(sink.rtp.map(ssrc)).size, 1);
    });

    it('keeps the publisher’s order of packets that arrive out of order', () => {
      const { sink } = stream.view(VIDEO_ONLY);
      publisher.video(10, { keyframe: true });
      publisher.video(12);
      publisher.video(11);
      assert.deepEqual(sequences(sink.rtp), [10, 12, 11]);
    });

    it('leaves out packets that were sent before its first keyframe', () => {
      publisher.video(8);
      const { sink } = stream.view(VIDEO_ONLY);
      publisher.video(10, { keyframe: true });
      publisher.video(9);
      assert.deepEqual(sequences(sink.rtp), [10]);
    });

    it('ends for a viewer who left, and for no other', () => {
      const [leaving, staying] = [stream.view(), stream.view()];
      publisher.video(1, { keyframe: true });
      leaving.leave();
      publisher.video(2);
      assert.deepEqual([sequences(leaving.sink.rtp), sequences(staying.sink.rtp)], [[1], [1, 2]]);
    });

    it('is resent on request, from the last 1024 video packets', () => {
      const [asking, other] = [stream.view(FIREFOX), stream.view()];
      publisher.video(1, { keyframe: true });
      for (let sequence = 2; sequence <= 1_030; sequence++) publisher.video(sequence);
      const before = asking.sink.rtp.length;
      const others = other.sink.rtp.length;
      asking.sendRtcp(nack(5, asking.ssrcOf('video'), [1, 1_000, 1_030, 2_000]));
      assert.deepEqual(sequences(asking.sink.rtp).slice(before), [1_000, 1_030]);
      assert.deepEqual(
        asking.sink.rtp.slice(before),
        asking.sink.rtp.filter((_, index) => index === 999 || index === 1_029),
      );
      assert.equal(other.sink.rtp.length, others);
      assert.equal(stream.router.stats().nacksAnswered, 2);
    });

    it('is resent on the RTX SSRC if there is one', () => {
      const { sink, ssrcOf, sent, sendRtcp } = stream.view({ retransmissions: true });
      publisher.video(7, { keyframe: true, marker: true });
      publisher.video(8);
      const [lost] = sink.rtp;
      sendRtcp(nack(5, ssrcOf('video'), [7]));
      const again = sink.rtp.at(-1)!;
      assert.equal(ssrc(again), sent.find(({ kind }) => kind === 'video')!.track.retransmissionSsrc);
      assert.equal(payloadType(again), 97);
      assert.equal(timestamp(again), timestamp(lost!));
      const payload = KEYFRAME_PAYLOADS.vp8;
      assert.deepEqual(again.subarray(-payload.length), payload);
      assert.equal(again.readUInt16BE(again.length - payload.length - 2), 7, 'with the number that it had');
      assert.ok(again[1]! & 0x80);
    });

    it('is not resent without limit', () => {
      const viewer = stream.view();
      const numbers = Array.from({ length: 700 }, (_, index) => index + 1);
      for (const sequence of numbers) publisher.video(sequence, { keyframe: sequence === 1 });
      const before = viewer.sink.rtp.length;
      const ask = (now: number) => viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), numbers), now);
      for (let now = 0; now < 1_000; now += 200) ask(now);
      assert.equal(viewer.sink.rtp.length - before, 600);
      stream.run(1_000, 1_020);
      ask(1_020);
      assert.equal(viewer.sink.rtp.length - before, 1_200);
    });

    it('is not resent while it is under way', () => {
      const viewer = stream.view();
      publisher.video(1, { keyframe: true });
      const before = viewer.sink.rtp.length;
      for (let now = 0; now < 200; now += 20) viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), [1]), now);
      assert.equal(viewer.sink.rtp.length - before, 2);
    });

    it('has sender reports with rewritten timestamps', () => {
      const viewer = stream.view(VIDEO_ONLY);
      publisher.video(1, { keyframe: true, timestamp: 90_000 }, 0);
      publisher.end();
      const next = stream.publish();
      next.video(1, { keyframe: true, timestamp: 500 }, 1_000);
      const report = { ntpSeconds: 1, ntpFraction: 2, rtpTimestamp: 500, packets: 3, bytes: 4 };
      next.send(senderReport(2, report, 'camera'), 1_000);
      const late = stream.view(VIDEO_ONLY, { now: 1_000 });
      next.video(2, { keyframe: true, timestamp: 3_500 }, 1_033);
      const sent = (packets: number) => ({ packets, bytes: packets * KEYFRAME_PAYLOADS.vp8.length });
      assert.deepEqual(viewer.sink.messages, [
        {
          type: 'sender-report',
          ssrc: viewer.ssrcOf('video'),
          report: { ...report, rtpTimestamp: 180_000, ...sent(2) },
        },
      ]);
      assert.deepEqual(late.sink.messages, [
        { type: 'sender-report', ssrc: late.ssrcOf('video'), report: { ...report, ...sent(0) } },
      ]);
    });
  });

  describe('as its publisher is served', () => {
    it('gets a keyframe request when a viewer connects, and when a viewer lost a keyframe', () => {
      publisher.video(1, { keyframe: true });
      const viewer = stream.view({}, { now: 1_000 });
      assert.deepEqual(publisher.sink.keyframeRequests, [2]);
      publisher.video(2, { keyframe: true }, 1_050);
      viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('video')), 2_000);
      assert.deepEqual(publisher.sink.keyframeRequests, [2, 2]);
    });

    it('gets no request from a viewer who names another SSRC', () => {
      publisher.video(1, { keyframe: true });
      const viewer = stream.view({}, { now: 1_000 });
      publisher.video(2, { keyframe: true }, 1_050);
      viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('audio')), 2_000);
      assert.equal(publisher.sink.keyframeRequests.length, 1);
    });

    it('gets at most two requests a second, repeated until a keyframe arrives', () => {
      publisher.video(1, { keyframe: true });
      for (let index = 0; index < 50; index++) stream.view({}, { now: 1_000 + index });
      assert.equal(publisher.sink.keyframeRequests.length, 1);
      stream.run(1_050, 2_100);
      assert.equal(publisher.sink.keyframeRequests.length, 3);
      publisher.video(2, { keyframe: true }, 2_100);
      stream.run(2_100, 4_000);
      assert.equal(publisher.sink.keyframeRequests.length, 3);
    });

    it('gets no request for its first keyframe, which it sends anyway', () => {
      stream.view();
      publisher.audio(1);
      stream.run(20, 20);
      publisher.video(1, { keyframe: true }, 30);
      stream.run(40, 40);
      assert.deepEqual(publisher.sink.keyframeRequests, []);
    });

    it('gets a request if its first picture is no keyframe', () => {
      stream.view();
      publisher.audio(1);
      publisher.video(5, {}, 30);
      stream.run(40, 40);
      assert.deepEqual(publisher.sink.keyframeRequests, [2]);
    });

    it('gets requests for missing packets', () => {
      publisher.video(1, { keyframe: true });
      publisher.video(4);
      stream.run(20, 20);
      const asked = publisher.sink.messages.filter(({ type }) => type === 'nack');
      assert.deepEqual(asked, [{ type: 'nack', mediaSsrc: 2, sequenceNumbers: [2, 3] }]);
    });

    it('gets transport feedback on each packet, twenty times a second', () => {
      const numbered = stream.publish(
        sdpOffer({
          direction: 'sendonly',
          extensions: {
            2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
            3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
          },
          congestionFeedback: ['transport-cc'],
        }),
        'numbered',
      );
      for (let number = 0; number < 10; number++) {
        const now = 1_000 + 10 * number;
        // Sent 20 ms before, in 6.18 fixed point.
        const sentAt = Math.floor(((now - 20) / 1_000) * 2 ** 18) & 0xffffff;
        const extension = Buffer.from([0x31, 0, number, 0x22, sentAt >> 16, (sentAt >> 8) & 0xff, sentAt & 0xff, 0]);
        if (number !== 4) numbered.video(number, { keyframe: number === 0, extension }, now);
        stream.router.tick(now);
      }
      const told = numbered.sink.messages.flatMap((message) =>
        message.type === 'transport-feedback' ? [readTransportFeedback(message.packet)!] : [],
      );
      const arrivals = told.flatMap(({ arrivals }) => [...arrivals]);
      assert.deepEqual(
        arrivals.map((arrival) => Number.isNaN(arrival)),
        [0, 1, 2, 3, 4, 5].map((number) => number === 4),
      );
      assert.deepEqual(
        told.map(({ firstSequence }) => firstSequence),
        [0, 1],
      );
      assert.equal(Math.round(arrivals[3]! - arrivals[2]!), 10);
    });

    it('gets a receiver report and a REMB every second', () => {
      stream.run(0, 0);
      assert.equal(publisher.sink.rtcp.length, 0);
      publisher.video(1, { keyframe: true });
      stream.run(0, 2_980);
      const told = publisher.sink.messages.map(({ type }) => type);
      const once = ['receiver-report', 'remb'];
      assert.deepEqual(told, [...once, ...once, ...once]);
    });
  });

  it('is live from the publisher’s first valid packet until the publisher leaves', () => {
    publisher.send(rtpPacket({ payloadType: 50 }));
    publisher.send(Buffer.from('no packet at all'));
    assert.deepEqual(stream.events, []);
    publisher.video(1);
    publisher.video(2);
    assert.deepEqual(stream.events, ['live audio,video']);
    publisher.end();
    publisher.end();
    assert.deepEqual(stream.events, ['live audio,video', 'ended']);
  });

  it('reports that a kind stopped after two seconds, and that it resumed', () => {
    publisher.video(1, { keyframe: true }, 0);
    for (let now = 0; now < 2_500; now += 20) {
      publisher.audio(now, {}, now);
      stream.router.tick(now);
    }
    assert.deepEqual(stream.events, ['live audio,video', 'updated audio']);
    publisher.video(2, {}, 2_500);
    stream.router.tick(2_520);
    assert.deepEqual(stream.events.slice(2), ['updated audio,video']);
  });

  describe('has no layers to select from', () => {
    const KNOWN_MS = 3_000;
    const send = ({ video }: typeof publisher, layers = 1) => {
      for (let now = 0; now <= KNOWN_MS; now += 100) {
        for (let layer = 0; layer < layers; layer++) video(now / 100, { ssrc: 2 + layer, keyframe: now === 0 }, now);
        stream.router.tick(now);
      }
    };

    it('if it has one video layer, and that is known', () => {
      send(publisher);
      assert.equal(stream.router.mayHaveLayers(KNOWN_MS), false);
    });

    it('but may have while it is new, because its layers are not measured yet', () => {
      publisher.video(1, { keyframe: true }, 0);
      assert.equal(stream.router.mayHaveLayers(1_000), true);
    });

    it('but may have before and after it is live', () => {
      assert.equal(stream.router.mayHaveLayers(0), true);
      send(publisher);
      publisher.end();
      assert.equal(stream.router.mayHaveLayers(KNOWN_MS), true);
    });

    it('but has if the video has several encodings', () => {
      publisher.end();
      send(stream.publish(sdpOffer({ direction: 'sendonly', kinds: ['video'], simulcastSsrcs: [2, 3] })), 2);
      assert.equal(stream.router.mayHaveLayers(KNOWN_MS), true);
    });

    it('but has if there are several sources', () => {
      send(publisher);
      stream.publish(undefined, 'other').video(1, { keyframe: true }, KNOWN_MS);
      assert.equal(stream.router.mayHaveLayers(KNOWN_MS), true);
    });
  });

  it('discards duplicates that the publisher sends to probe its network', () => {
    const viewer = stream.view();
    publisher.video(1, { keyframe: true });
    publisher.video(2);
    for (const sequence of [1, 2, 1, 2]) publisher.video(sequence);
    assert.equal(viewer.on('video').length, 2);
    assert.deepEqual([stream.router.stats().packetsIn, stream.router.stats().packetsOut], [2, 2]);
  });

  it('counts since its current publisher connected', () => {
    stream.view();
    publisher.video(1, { keyframe: true });
    publisher.video(2, { keyframe: true, timestamp: 3_000 });
    publisher.video(3);
    assert.deepEqual(stream.router.stats(), {
      live: true,
      viewers: 1,
      packetsIn: 3,
      bytesIn: 3 * 12 + 2 * KEYFRAME_PAYLOADS.vp8.length + DELTA_PAYLOADS.vp8.length,
      packetsOut: 3,
      keyframes: 1,
      nacksAnswered: 0,
    });
    publisher.end();
    stream.publish();
    assert.equal(stream.router.stats().packetsIn, 0);
  });

  const anything = fc
    .tuple(
      fc.uint8Array({ maxLength: 120 }),
      fc.integer({ min: 0x80, max: 0xbf }),
      fc.constantFrom(96, 97, 98, 45, 108, 111, 224, 200, 201, 205, 206, 207, 80),
      fc.constantFrom(undefined, 2, 500, 501, 100, 102),
    )
    .map(([bytes, first, second, from]) => {
      const packet = Buffer.from(bytes);
      if (packet.length > 1) packet.set([first, second]);
      if (packet.length >= 12 && from !== undefined) packet.writeUInt32BE(from, 8);
      return packet;
    });
  const offers: Readonly<Record<string, OfferParts>> = {
    'one encoding': {},
    'a simulcast by SSRC': { simulcastSsrcs: [500, 100, 102], retransmissions: true },
    'a simulcast by rid': { rids: ['q', 'h'], retransmissions: true },
  };
  for (const [what, parts] of Object.entries(offers)) {
    for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
      it(`survives any packet from either side, of ${what} in ${codec}`, () => {
        publisher.end();
        const bad = stream.publish(sdpOffer({ direction: 'sendonly', ...parts }), null, codec);
        const layer = { spatialLayerId: 1, temporalLayerId: 1 };
        const viewers = [stream.view({ retransmissions: true }), stream.view({}, { layer })];
        let now = 0;
        fc.assert(
          fc.property(fc.array(anything, { maxLength: 10 }), fc.array(anything, { maxLength: 10 }), (up, down) => {
            for (const packet of up) bad.send(packet, (now += 1));
            for (const packet of down) for (const viewer of viewers) viewer.sendRtcp(packet, (now += 1));
            stream.router.tick((now += 20));
          }),
          { numRuns: 500 },
        );
        bad.end(now);
        const good = stream.publish(undefined, null, codec);
        const before = viewers.map(({ on }) => on('video').length);
        good.video(1, { keyframe: true }, now);
        assert.deepEqual(
          viewers.map(({ on }) => on('video').length),
          before.map((count) => count + 1),
        );
      });
    }
  }
});
