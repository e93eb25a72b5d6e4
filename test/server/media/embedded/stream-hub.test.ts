import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { isRtcp, payloadType, sequenceNumber, ssrc, timestamp } from '../../../../server/media/embedded/rtp/packet.js';
import { nack, pictureLossIndication, readRtcp, senderReport } from '../../../../server/media/embedded/rtp/rtcp.js';
import type { Format } from '../../../../server/media/embedded/sdp/codecs.js';
import type { PublishedTrack } from '../../../../server/media/embedded/sdp/negotiation.js';
import { StreamHub } from '../../../../server/media/embedded/stream-hub.js';
import type { VideoCodec } from '../../../../server/media/media-engine.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket, type RtpParts } from '../../../support/media/rtp.js';

/** Keeps a copy of everything, as a network would. */
class Sink {
  readonly packets: Buffer[] = [];
  send(packet: Buffer): boolean {
    this.packets.push(Buffer.from(packet));
    return true;
  }
  get rtp() {
    return this.packets.filter((packet) => !isRtcp(packet));
  }
  get rtcp() {
    return this.packets.filter((packet) => isRtcp(packet));
  }
  get keyframeRequests() {
    return this.rtcp.flatMap((packet) => readRtcp(packet)).filter(({ type }) => type === 'keyframe-request').length;
  }
}

const format = (codec: VideoCodec | 'opus', number: number): Format => ({
  codec,
  profile: '',
  payloadType: number,
  parameters: '',
});
const tracks = (codec: VideoCodec = 'vp8', video?: number): PublishedTrack[] => [
  { kind: 'audio', format: format('opus', 111), ssrc: 1 },
  { kind: 'video', format: format(codec, 96), ssrc: video },
];
const CHROMIUM = { audio: [format('opus', 111)], video: [format('vp8', 96), format('h264', 102)] };
const FIREFOX = { audio: [format('opus', 109)], video: [format('vp8', 120), format('h264', 126)] };

describe('a stream', () => {
  let hub: StreamHub;
  let publisher: Sink;
  let said: string[];

  beforeEach(() => {
    said = [];
    hub = new StreamHub({ onLive: (kinds) => said.push(`live ${kinds.join()}`), onEnded: () => said.push('ended') });
    publisher = new Sink();
    hub.setPublisher(publisher, tracks());
  });

  const view = (formats = CHROMIUM, now = 0) => {
    const sink = new Sink();
    return { sink, viewer: hub.addViewer(sink, formats, now) };
  };
  const video = (sequence: number, parts: RtpParts & { keyframe?: boolean; codec?: VideoCodec } = {}, now = 0) => {
    const payload = (parts.keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS)[parts.codec ?? 'vp8'];
    hub.fromPublisher(rtpPacket({ payload, sequence, timestamp: sequence * 3_000, ssrc: 2, ...parts }), now);
  };
  const sequences = (sink: Sink) => sink.rtp.map(sequenceNumber);

  describe('as a viewer receives it', () => {
    it('has the viewer’s payload types, one SSRC and no extensions', () => {
      const [chromium, firefox] = [view(CHROMIUM), view(FIREFOX)];
      video(1, { keyframe: true, extension: Buffer.from([0x40, 0x31, 0, 0]), marker: true });
      for (const [{ sink }, number] of [
        [chromium, 96],
        [firefox, 120],
      ] as const) {
        const [packet] = sink.rtp;
        assert.equal(payloadType(packet!), number);
        assert.equal(ssrc(packet!), hub.source('video').ssrc);
        assert.deepEqual(packet!.subarray(12), KEYFRAME_PAYLOADS.vp8);
        assert.equal(packet![0], 0x80);
        assert.ok(packet![1]! & 0x80, 'the marker stays');
      }
    });

    it('begins with a keyframe, and with sound at once', () => {
      const { sink } = view();
      video(1);
      hub.fromPublisher(rtpPacket({ payloadType: 111, ssrc: 1 }), 0);
      video(2);
      video(3, { keyframe: true });
      video(4);
      assert.deepEqual(sink.rtp.map(payloadType), [111, 96, 96]);
      assert.deepEqual(sequences(sink).slice(1), [3, 4]);
    });

    it('has no picture in a codec that was not agreed on, and sound all the same', () => {
      const { sink } = view({ audio: CHROMIUM.audio, video: [format('vp9', 98)] });
      video(1, { keyframe: true });
      hub.fromPublisher(rtpPacket({ payloadType: 111, ssrc: 1 }), 0);
      assert.deepEqual(sink.rtp.map(payloadType), [111]);
    });

    it('goes on in number and time when another publisher takes over, in whatever codec', () => {
      const { sink } = view(FIREFOX);
      video(65_534, { keyframe: true, timestamp: 5_000 }, 0);
      video(65_535, { timestamp: 8_000 }, 33);
      hub.clearPublisher();
      hub.setPublisher(new Sink(), tracks('h264'));
      video(500, { codec: 'h264', timestamp: 77, ssrc: 9 }, 1_000);
      video(501, { codec: 'h264', keyframe: true, timestamp: 3_077, ssrc: 9 }, 1_033);
      video(502, { codec: 'h264', timestamp: 6_077, ssrc: 9 }, 1_066);
      assert.deepEqual(sequences(sink), [65_534, 65_535, 1, 2]);
      assert.deepEqual(sink.rtp.map(payloadType), [120, 120, 126, 126]);
      const [, before, after] = sink.rtp.map(timestamp);
      assert.equal(after! - before!, (1_033 - 33) * 90 + 30, 'a second went by, give or take a frame’s rounding');
      assert.equal(new Set(sink.rtp.map(ssrc)).size, 1);
    });

    it('keeps the order of the publisher’s numbers when packets overtake each other', () => {
      const { sink } = view();
      video(10, { keyframe: true });
      video(12);
      video(11);
      assert.deepEqual(sequences(sink), [10, 12, 11]);
    });

    it('leaves out what a new publisher sent before its first packet', () => {
      const { sink } = view();
      video(10, { keyframe: true });
      video(9);
      assert.deepEqual(sequences(sink), [10]);
    });

    it('has one layer of a simulcast: the one declared, else the first that came', () => {
      const { sink } = view();
      hub.setPublisher(publisher, tracks('vp8', 100));
      video(1, { keyframe: true, ssrc: 102 });
      video(7, { keyframe: true, ssrc: 100 });
      hub.setPublisher(publisher, tracks('vp8'));
      video(3, { keyframe: true, ssrc: 104 });
      video(9, { keyframe: true, ssrc: 106 });
      assert.deepEqual(sequences(sink), [7, 8]);
    });

    it('ends for a viewer who left, and for no other', () => {
      const [leaving, staying] = [view(), view()];
      video(1, { keyframe: true });
      hub.removeViewer(leaving.viewer);
      video(2);
      assert.deepEqual([sequences(leaving.sink), sequences(staying.sink)], [[1], [1, 2]]);
    });

    it('is sent again on request, from the last 1024 pictures’ packets', () => {
      const [{ sink, viewer }, other] = [view(FIREFOX), view(CHROMIUM)];
      video(1, { keyframe: true });
      for (let sequence = 2; sequence <= 1_030; sequence++) video(sequence);
      const before = sink.rtp.length;
      const others = other.sink.rtp.length;
      hub.fromViewer(viewer, nack(5, hub.source('video').ssrc, [1, 1_000, 1_030, 2_000]), 0);
      assert.deepEqual(sequences(sink).slice(before), [1_000, 1_030]);
      assert.deepEqual(sink.rtp.slice(before).map(payloadType), [120, 120]);
      assert.equal(other.sink.rtp.length, others);
      assert.equal(hub.stats().nacksAnswered, 2);
    });

    it('is not sent again without measure', () => {
      const { sink, viewer } = view();
      video(1, { keyframe: true });
      const before = sink.rtp.length;
      for (let turn = 0; turn < 5_000; turn++) hub.fromViewer(viewer, nack(5, hub.source('video').ssrc, [1]), 0);
      assert.equal(sink.rtp.length - before, 600);
      hub.tick(1_000);
      hub.fromViewer(viewer, nack(5, hub.source('video').ssrc, [1]), 1_001);
      assert.equal(sink.rtp.length - before, 601);
    });

    it('says how its clock goes, in the times that it sends', () => {
      const { sink } = view();
      video(1, { keyframe: true, timestamp: 90_000 }, 0);
      hub.setPublisher(publisher, tracks());
      video(1, { keyframe: true, timestamp: 500, ssrc: 2 }, 1_000);
      const report = { ntpSeconds: 1, ntpFraction: 2, rtpTimestamp: 500, packets: 3, bytes: 4 };
      hub.fromPublisher(senderReport(2, report, 'camera'), 1_000);
      const late = view(CHROMIUM, 1_000);
      video(2, { keyframe: true, timestamp: 3_500, ssrc: 2 }, 1_033);
      for (const viewer of [sink, late.sink]) {
        assert.deepEqual(
          viewer.rtcp.flatMap((packet) => readRtcp(packet)),
          [
            {
              type: 'sender-report',
              ssrc: hub.source('video').ssrc,
              report: { ...report, rtpTimestamp: 180_000 },
            },
          ],
        );
      }
    });
  });

  describe('as its publisher hears of it', () => {
    it('is asked for a keyframe when a viewer comes, and by a viewer who lost one', () => {
      video(1, { keyframe: true });
      const { viewer } = view(CHROMIUM, 1_000);
      assert.equal(publisher.keyframeRequests, 1);
      video(2, { keyframe: true }, 1_050);
      hub.fromViewer(viewer, pictureLossIndication(5, hub.source('video').ssrc), 2_000);
      assert.equal(publisher.keyframeRequests, 2);
    });

    it('is asked no more often than twice a second, and again until a keyframe comes', () => {
      video(1, { keyframe: true });
      for (let index = 0; index < 50; index++) view(CHROMIUM, 1_000 + index);
      assert.equal(publisher.keyframeRequests, 1);
      for (let now = 1_050; now <= 2_100; now += 20) hub.tick(now);
      assert.equal(publisher.keyframeRequests, 3);
      video(2, { keyframe: true }, 2_100);
      for (let now = 2_100; now <= 4_000; now += 20) hub.tick(now);
      assert.equal(publisher.keyframeRequests, 3);
    });

    it('is not asked for its first keyframe, which comes anyway', () => {
      view();
      hub.fromPublisher(rtpPacket({ payloadType: 111, ssrc: 1 }), 0);
      hub.tick(20);
      video(1, { keyframe: true }, 30);
      hub.tick(40);
      assert.equal(publisher.keyframeRequests, 0);
    });

    it('is asked when its first picture was no keyframe', () => {
      view();
      hub.fromPublisher(rtpPacket({ payloadType: 111, ssrc: 1 }), 0);
      video(5, {}, 30);
      hub.tick(40);
      assert.equal(publisher.keyframeRequests, 1);
    });

    it('is asked for what is missing', () => {
      video(1, { keyframe: true });
      video(4);
      hub.tick(20);
      const asked = publisher.rtcp.flatMap((packet) => readRtcp(packet)).filter(({ type }) => type === 'nack');
      assert.deepEqual(asked, [{ type: 'nack', mediaSsrc: 2, sequenceNumbers: [2, 3] }]);
    });

    it('is told every second how it arrives and what it may send', () => {
      hub.tick(0);
      assert.equal(publisher.rtcp.length, 0);
      video(1, { keyframe: true });
      for (let now = 0; now < 3_000; now += 20) hub.tick(now);
      assert.equal(publisher.rtcp.length, 3);
      const [report] = publisher.rtcp;
      assert.equal(report![1], 201);
      assert.ok(report!.includes('REMB'));
    });
  });

  it('is live with the first packet that is its publisher’s, and ends with the publisher', () => {
    hub.fromPublisher(rtpPacket({ payloadType: 50 }), 0);
    hub.fromPublisher(Buffer.from('no packet at all'), 0);
    assert.deepEqual(said, []);
    video(1);
    video(2);
    assert.deepEqual(said, ['live audio,video']);
    hub.clearPublisher();
    hub.clearPublisher();
    assert.deepEqual(said, ['live audio,video', 'ended']);
  });

  it('counts from its present publisher on', () => {
    view();
    video(1, { keyframe: true });
    video(1, { keyframe: true, timestamp: 3_000 });
    video(2);
    assert.deepEqual(hub.stats(), {
      live: true,
      viewers: 1,
      packetsIn: 3,
      bytesIn: 3 * 12 + 2 * KEYFRAME_PAYLOADS.vp8.length + DELTA_PAYLOADS.vp8.length,
      packetsOut: 3,
      keyframes: 1,
      nacksAnswered: 0,
    });
    hub.setPublisher(publisher, tracks());
    assert.equal(hub.stats().packetsIn, 0);
  });

  it('carries on whatever arrives from either side', () => {
    const { sink, viewer } = view();
    const packet = fc
      .tuple(
        fc.uint8Array({ maxLength: 120 }),
        fc.integer({ min: 0x80, max: 0xbf }),
        fc.constantFrom(96, 111, 224, 200, 201, 205, 206, 207, 80),
      )
      .map(([bytes, first, second]) => {
        const packet = Buffer.from(bytes);
        if (packet.length > 1) packet.set([first, second]);
        return packet;
      });
    let now = 0;
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 10 }), fc.array(packet, { maxLength: 10 }), (up, down) => {
        for (const packet of up) hub.fromPublisher(packet, (now += 1));
        for (const packet of down) hub.fromViewer(viewer, packet, (now += 1));
        hub.tick((now += 20));
      }),
      { numRuns: 2_000 },
    );
    hub.setPublisher(publisher, tracks());
    const before = sink.rtp.length;
    video(1, { keyframe: true }, now);
    assert.equal(sink.rtp.length, before + 1);
  });
});
