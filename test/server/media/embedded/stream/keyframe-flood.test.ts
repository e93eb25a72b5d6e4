import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pictureLossIndication } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { KEYFRAME_PAYLOADS } from '../../../../support/media/rtp.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const SECOND = 1_000;
const FRAME_MS = 33;
const PACKET_BYTES = 1_200;
/** A stream of about 1.5 Mbit/s whose keyframes have 48 kB. */
const KEYFRAME_PACKETS = 40;
const FRAME_PACKETS = 5;
const ANSWER_MS = 80;
/** The longest time between two requests, the encoder's answer, and the ticks of both. */
const BOUND_MS = 3_000 + ANSWER_MS + 2 * FRAME_MS;

/** A publisher who sends a keyframe when asked, and the bits of all packets and of the keyframes. */
function liveStream() {
  const fixture = new RouterFixture();
  const publisher = fixture.publish();
  const sent = { all: 0, keyframes: 0, count: 0 };
  let [sequence, now, answered, askedAt] = [0, 0, 0, 0];

  function frame(): void {
    const asked = publisher.sink.keyframeRequests.length;
    if (asked > answered && !askedAt) askedAt = now;
    const keyframe = sequence === 0 || (askedAt > 0 && now - askedAt >= ANSWER_MS);
    if (keyframe) [answered, askedAt] = [asked, 0];
    const packets = keyframe ? KEYFRAME_PACKETS : FRAME_PACKETS;
    for (let index = 0; index < packets; index++) {
      const payload = Buffer.alloc(PACKET_BYTES, 1);
      if (keyframe && index === 0) KEYFRAME_PAYLOADS.vp8.copy(payload);
      else payload[0] = index === 0 ? 0x10 : 0x00;
      publisher.video(++sequence, { payload, timestamp: now * 90 }, now);
    }
    sent.all += 8 * packets * PACKET_BYTES;
    if (!keyframe) return;
    sent.keyframes += 8 * packets * PACKET_BYTES;
    sent.count++;
  }

  return {
    fixture,
    sent,
    get now() {
      return now;
    },
    run(until: number, onFrame: (now: number) => void = () => {}) {
      for (; now < until; now += FRAME_MS) {
        frame();
        onFrame(now);
        fixture.router.tick(now);
      }
    },
  };
}

type LiveStream = ReturnType<typeof liveStream>;
type Viewer = ReturnType<RouterFixture['view']>;

/** What keyframes take of the bitrate from now on. */
function share(stream: LiveStream, until: number, onFrame: (now: number) => void): number {
  const before = { ...stream.sent };
  stream.run(until, onFrame);
  const { all, keyframes } = stream.sent;
  return (keyframes - before.keyframes) / (all - before.all);
}

/** Acts once in so many ms. */
function every(ms: number, act: () => void): (now: number) => void {
  let last = -Infinity;
  return (now) => {
    if (now - last < ms) return;
    last = now;
    act();
  };
}

const asks = (viewer: Viewer, stream: LiveStream) => () =>
  viewer.sendRtcp(pictureLossIndication(5, viewer.ssrcOf('video')), stream.now);

describe('the keyframes of a stream', () => {
  it('do not become more than two in ten seconds by one viewer who asks twice a second', () => {
    const stream = liveStream();
    const viewer = stream.fixture.view({}, { now: 0 });
    stream.run(20 * SECOND, every(500, asks(viewer, stream)));
    const before = stream.sent.count;
    stream.run(60 * SECOND, every(500, asks(viewer, stream)));
    assert.ok(stream.sent.count - before <= 8, `${stream.sent.count - before} keyframes in 40 s`);
  });

  it('take a seventh of the bitrate while ten viewers a second join, and each of them has a picture in time', () => {
    const stream = liveStream();
    const waiting = new Map<Viewer, number>();
    let longest = 0;
    const joins = every(100, () => waiting.set(stream.fixture.view({}, { now: stream.now }), stream.now));
    stream.run(10 * SECOND);
    const part = share(stream, 40 * SECOND, (now) => {
      joins(now);
      for (const [viewer, since] of waiting) {
        if (now - since > BOUND_MS) assert.fail(`no picture after ${now - since} ms`);
        if (!viewer.on('video').length) continue;
        longest = Math.max(longest, now - since);
        waiting.delete(viewer);
        viewer.leave();
      }
    });
    // The share is kept against the bitrate of the seconds before, which varies.
    assert.ok(part <= 0.17, `${part}`);
    assert.ok(longest > SECOND && longest <= BOUND_MS, `${longest} ms`);
  });

  it('stay within the budget with both, and with a worker that asks for its own viewers', () => {
    const stream = liveStream();
    const viewer = stream.fixture.view({}, { now: 0 });
    stream.run(10 * SECOND);
    const joins = every(100, () => {
      const joiner = stream.fixture.view({}, { now: stream.now });
      joiner.leave();
      stream.fixture.router.prepareSubscriber(joiner.viewer, stream.now);
    });
    const damaged = every(500, asks(viewer, stream));
    const stills = every(300, () => stream.fixture.router.collectKeyframe(null, () => {}, stream.now)?.());
    const part = share(stream, 40 * SECOND, (now) => {
      joins(now);
      damaged(now);
      stills(now);
    });
    assert.ok(part <= 0.17, `${part}`);
  });
});
