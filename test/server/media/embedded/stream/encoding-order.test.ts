import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DescribedSource } from '../../../../../server/media/embedded/producer/fed-source.js';
import { TappedSource } from '../../../../../server/media/embedded/tap/tapped-source.js';
import type { VideoCodec } from '../../../../../server/media/engine/media-track.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from '../../../../support/media/rtp.js';
import { sizedKeyframe } from '../../../../support/media/sized-keyframe.js';

const CODECS: readonly VideoCodec[] = ['vp8', 'vp9', 'h264', 'av1'];
/** By quality, the smallest first: an SSRC, the size of its picture, the bytes of each. Heights are multiples of 16. */
const ENCODINGS = [
  { ssrc: 100, width: 320, height: 176, bytes: 200 },
  { ssrc: 200, width: 640, height: 352, bytes: 500 },
  { ssrc: 300, width: 1_280, height: 720, bytes: 1_100 },
] as const;
type Encoding = (typeof ENCODINGS)[number];
const PICTURE_MS = 33;
const PERMUTATIONS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

const payloadOf = (codec: VideoCodec, encoding: Encoding, isKeyframe: boolean, hasSizes: boolean): Buffer => {
  const keyframe = hasSizes ? sizedKeyframe(codec, encoding) : KEYFRAME_PAYLOADS_WITHOUT_SIZES[codec];
  const start = isKeyframe ? keyframe : DELTA_PAYLOADS[codec];
  return Buffer.concat([start, Buffer.alloc(encoding.bytes - start.length, 1)]);
};
const KEYFRAME_PAYLOADS_WITHOUT_SIZES = { ...KEYFRAME_PAYLOADS, vp8: Buffer.from([0x10, 0x10, 0, 0]) };

/** A broadcast of three encodings in this order of the offer, which come in the same order. */
function broadcast(codec: VideoCodec, order: readonly number[], { hasSizes = true } = {}) {
  const stream = new RouterFixture();
  const declared = order.map((quality) => ENCODINGS[quality]!);
  const simulcastSsrcs = declared.map(({ ssrc }) => ssrc);
  const video = { kinds: ['video'], videoCodecs: [codec] } as const;
  const publisher = stream.publish(sdpOffer({ ...video, direction: 'sendonly', simulcastSsrcs }), null, codec);
  const { source } = publisher.transport;
  const tapped: number[] = [];
  const tap = new TappedSource({
    tracks: source.tracks,
    listener: { onFrame: ({ data }) => tapped.push(data.length), onLoss: () => {} },
    requestKeyframe: (index) => asked.add(declared[index]!.ssrc),
    keyframeEveryMs: undefined,
  });
  let asked = new Set<number>(simulcastSsrcs);
  let read = 0;
  let now = 0;
  let picture = 0;
  const viewer = stream.view(video);

  function sendPicture() {
    const due = asked;
    asked = new Set();
    declared.forEach((encoding, index) => {
      const payload = payloadOf(codec, encoding, due.has(encoding.ssrc), hasSizes);
      const { payloadType } = source.tracks[0]!.format;
      const packet = rtpPacket({
        ssrc: encoding.ssrc,
        sequence: picture,
        timestamp: picture * 3_000,
        marker: true,
        payload,
        payloadType,
      });
      publisher.send(Buffer.from(packet), now);
      tap.onPacket(index, picture, packet, now);
    });
    picture++;
    now += PICTURE_MS;
    stream.router.tick(now);
    tap.tick(now);
    const requests = publisher.sink.keyframeRequests;
    for (const ssrc of requests.slice(read)) asked.add(ssrc);
    read = requests.length;
  }

  return {
    stream,
    source,
    pass(seconds: number) {
      for (const until = now + seconds * 1_000; now < until;) sendPicture();
    },
    /** All that the viewer was sent. */
    seen: () => viewer.on('video').map(({ length }) => qualityOf(length)),
    /** What the viewer is sent last, by the size of its packets. */
    shown: () => qualityOf(viewer.on('video').at(-1)!.length),
    select: (encodingId: string | undefined) => stream.router.select(viewer.viewer, { encodingId }, now),
    selectHeight: (maxHeight: number) => stream.router.select(viewer.viewer, { maxHeight }, now),
    recorded: () => tapped.map(qualityOf),
    /** Whose keyframe a still of the stream is. */
    stillOf() {
      const before = publisher.sink.keyframeRequests.length;
      stream.router.collectKeyframe(null, () => {}, now);
      return publisher.sink.keyframeRequests.slice(before);
    },
    reported: () =>
      stream.layers.at(-1)!.layers.map(({ encodingId, simulcastIndex, width, bitrate }) => ({
        encodingId,
        simulcastIndex,
        width,
        quality: qualityOf((bitrate * PICTURE_MS) / 8_000),
      })),
    onAnotherServer() {
      const described = new DescribedSource(
        { id: null, tracks: source.tracks, events: stream.router.sourceEvents, onKeyframeRequest() {}, onWanted() {} },
        { isRelayed: false },
      );
      described.describe(source.description, now);
      return described.source.layers.map(({ encodingId, width }) => ({ encodingId, width }));
    },
  };
}

/** By the bytes of a packet or a frame, whose headers are small. */
function qualityOf(bytes: number): number {
  return ENCODINGS.findLastIndex((encoding) => bytes > encoding.bytes * 0.8);
}

describe('three encodings, whatever the order in which they are offered', () => {
  for (const codec of CODECS) {
    for (const order of PERMUTATIONS) {
      it(`are ordered by the size of their pictures: ${codec}, ${order.join()}`, () => {
        const { pass, reported, seen, shown, select, selectHeight, recorded, stillOf } = broadcast(codec, order);
        pass(3);
        assert.deepEqual(reported(), [
          { encodingId: '0', simulcastIndex: 0, width: 320, quality: 0 },
          { encodingId: '1', simulcastIndex: 1, width: 640, quality: 1 },
          { encodingId: '2', simulcastIndex: 2, width: 1_280, quality: 2 },
        ]);
        assert.equal(shown(), 2);
        if (order[0] === 2)
          assert.ok(
            seen().every((quality) => quality === 2),
            'a better picture is never left',
          );
        for (const quality of [0, 1, 2, 0]) {
          select(String(quality));
          pass(4);
          assert.equal(shown(), quality);
        }
        selectHeight(400);
        pass(4);
        assert.equal(shown(), 1);
        assert.deepEqual(recorded().slice(-60), Array(60).fill(2));
        assert.deepEqual(stillOf(), [ENCODINGS[0].ssrc]);
      });
    }
    it(`have the same ids on another server, which gets them as described: ${codec}`, () => {
      const { pass, onAnotherServer } = broadcast(codec, [2, 0, 1]);
      pass(3);
      assert.deepEqual(
        onAnotherServer().toSorted((a, b) => a.width - b.width),
        ENCODINGS.map(({ width }, quality) => ({ encodingId: String(quality), width })),
      );
    });
  }

  for (const order of PERMUTATIONS) {
    it(`are ordered by their bitrates if sizes are not known: ${order.join()}`, () => {
      const { pass, reported, shown, recorded } = broadcast('vp8', order, { hasSizes: false });
      pass(6);
      assert.deepEqual(
        reported().map(({ encodingId, quality }) => ({ encodingId, quality })),
        [0, 1, 2].map((quality) => ({ encodingId: String(quality), quality })),
      );
      assert.equal(shown(), 2);
      assert.deepEqual(recorded().slice(-60), Array(60).fill(2));
    });
  }
});
