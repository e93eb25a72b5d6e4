import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TRANSPORT_SEQUENCE } from '../../../../../server/media/sdp/extension-uris.js';
import { sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const KEYFRAME_PACKETS = 60;
const START_OF_KEYFRAME = Buffer.concat([Buffer.of(0x10, 0), Buffer.alloc(1_150)]);
const REST_OF_FRAME = Buffer.concat([Buffer.of(0x00, 1), Buffer.alloc(1_150)]);
const SMALL_FRAME = Buffer.concat([Buffer.of(0x10, 1), Buffer.alloc(300)]);

describe('a keyframe of many packets that arrives at once', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  let viewer: ReturnType<RouterFixture['view']>;
  let sequence: number;

  beforeEach(() => {
    stream = new RouterFixture({ paces: true });
    publisher = stream.publish(sdpOffer({ direction: 'sendonly' }));
    viewer = stream.view({ extensions: { 3: TRANSPORT_SEQUENCE }, congestionFeedback: ['transport-cc'] });
    sequence = 0;
  });

  function sendKeyframe(now: number): void {
    for (let packet = 0; packet < KEYFRAME_PACKETS; packet++) {
      const payload = packet === 0 ? START_OF_KEYFRAME : REST_OF_FRAME;
      publisher.video(++sequence, { payload, timestamp: now * 90 }, now);
    }
  }
  const sendSmallFrame = (now: number) =>
    publisher.video(++sequence, { payload: SMALL_FRAME, timestamp: now * 90 }, now);
  const received = () => viewer.on('video').length;

  it('is sent bit by bit, within 50 ms', () => {
    sendKeyframe(0);
    assert.equal(received(), 10);
    stream.router.pace(25);
    assert.ok(received() > 30 && received() < 45, `${received()}`);
    assert.equal(stream.router.pace(50), 'idle');
    assert.equal(received(), KEYFRAME_PACKETS);
  });

  it('delays no sound', () => {
    sendKeyframe(0);
    publisher.audio(1, {}, 0);
    assert.equal(viewer.on('audio').length, 1);
  });

  it('comes before the frames after it, in order', () => {
    sendKeyframe(0);
    sendSmallFrame(33);
    stream.router.pace(40);
    stream.router.pace(90);
    sendSmallFrame(99);
    stream.router.pace(99);
    const numbers = viewer.on('video').map(sequenceNumber);
    assert.deepEqual(
      numbers,
      Array.from({ length: KEYFRAME_PACKETS + 2 }, (_, index) => (numbers[0]! + index) & 0xffff),
    );
  });

  it('is sent in full to a viewer who joins while others still receive it', () => {
    sendKeyframe(0);
    const late = stream.view({}, { now: 10 });
    assert.equal(late.on('video').length, KEYFRAME_PACKETS);
    sendSmallFrame(33);
    stream.router.pace(33);
    assert.equal(late.on('video').length, KEYFRAME_PACKETS + 1);
  });

  it('ends for a viewer who leaves', () => {
    sendKeyframe(0);
    viewer.leave();
    assert.equal(stream.router.pace(50), 'idle');
    assert.equal(received(), 10);
  });

  it('is sent as it arrives if the publisher paces it', () => {
    // The bitrate of 3 Mbit/s is measured before: the publisher sends at 2.5 times of it.
    for (let now = 0; now < 2_000; now += 20) {
      for (let packet = 0; packet < 7; packet++) {
        publisher.video(
          ++sequence,
          { payload: now || packet ? REST_OF_FRAME : START_OF_KEYFRAME, timestamp: now },
          now,
        );
      }
      stream.router.tick(now);
      stream.router.pace(now);
    }
    const before = received();
    for (let packet = 0; packet < KEYFRAME_PACKETS; packet++) {
      const payload = packet === 0 ? START_OF_KEYFRAME : REST_OF_FRAME;
      publisher.video(++sequence, { payload, timestamp: 300_000 }, 3_000 + packet * 2);
      stream.router.pace(3_000 + packet * 2);
    }
    assert.equal(received() - before, KEYFRAME_PACKETS);
  });

  it('ends with its source', () => {
    sendKeyframe(0);
    publisher.end(10);
    assert.equal(stream.router.pace(50), 'idle');
    assert.equal(received(), 10);
  });
});
