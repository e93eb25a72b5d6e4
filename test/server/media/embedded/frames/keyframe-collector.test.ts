import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Keyframe } from '../../../../../server/media/engine/media-track.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { sdpOffer } from '../../../../support/media/offer.js';

const LATER = 10_000;

/** A packet of a VP8 keyframe of 320 × 180 pixels: the first one, or a later one. */
const first = (...rest: number[]) => Buffer.from([0x10, 0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xb4, 0, ...rest]);
const next = (...rest: number[]) => Buffer.from([0x00, ...rest]);
/** Without its payload descriptor. */
const dataOf = (...payloads: Buffer[]) => Buffer.concat(payloads.map((payload) => payload.subarray(1)));

describe('the collection of a keyframe', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  let found: (Keyframe | undefined)[];

  beforeEach(() => {
    stream = new RouterFixture();
    publisher = stream.publish(sdpOffer({ direction: 'sendonly' }));
    publisher.video(1, { keyframe: true, marker: true });
    found = [];
  });

  const collect = () => stream.router.collectKeyframe(null, (keyframe) => found.push(keyframe), LATER);

  function packet(sequence: number, payload: Buffer, { timestamp = 90_000, marker = false } = {}): void {
    publisher.video(sequence, { payload, timestamp, marker }, LATER);
  }

  it('requests one, and has the data of all its packets', () => {
    collect();
    assert.equal(publisher.sink.keyframeRequests.length, 1);
    packet(2, first(1));
    packet(3, next(2));
    assert.equal(found.length, 0);
    packet(4, next(3), { marker: true });
    const data = dataOf(first(1), next(2), next(3));
    assert.deepEqual(found, [{ codec: 'vp8', data, width: 320, height: 180 }]);
  });

  it('waits for a packet that comes late', () => {
    collect();
    packet(2, first(1));
    packet(4, next(3), { marker: true });
    assert.equal(found.length, 0);
    packet(3, next(2));
    assert.deepEqual(found[0]?.data, dataOf(first(1), next(2), next(3)));
  });

  it('goes on with the next keyframe if a packet never comes', () => {
    collect();
    packet(2, first(1));
    packet(4, next(3), { marker: true });
    packet(5, first(7), { timestamp: 93_000, marker: true });
    assert.deepEqual(found[0]?.data, dataOf(first(7)));
  });

  it('gives up one of more packets than an encoder sends, and goes on with the next', () => {
    collect();
    packet(2, first(1));
    for (let sequence = 3; sequence < 5_000; sequence++) packet(sequence, next(2));
    packet(5_000, next(3), { marker: true });
    assert.equal(found.length, 0);
    packet(5_001, first(7), { timestamp: 93_000, marker: true });
    assert.deepEqual(found[0]?.data, dataOf(first(7)));
  });

  it('has no packets of other frames', () => {
    collect();
    packet(2, first(1));
    packet(1_000, next(9), { timestamp: 96_000 });
    packet(3, next(2), { marker: true });
    assert.deepEqual(found[0]?.data, dataOf(first(1), next(2)));
  });

  it('uses a keyframe that came a moment ago', () => {
    publisher.video(2, { payload: first(1), timestamp: 90_000, marker: true }, LATER - 100);
    collect();
    assert.deepEqual(found[0]?.data, dataOf(first(1)));
    assert.equal(publisher.sink.keyframeRequests.length, 0);
  });

  it('ends with one keyframe', () => {
    collect();
    packet(2, first(1), { marker: true });
    packet(3, first(2), { timestamp: 93_000, marker: true });
    assert.equal(found.length, 1);
  });

  it('ends with the publisher', () => {
    collect();
    publisher.end(LATER);
    assert.deepEqual(found, [undefined]);
  });

  it('can be ended, and has nothing then', () => {
    const stop = collect();
    packet(2, first(1));
    stop?.();
    packet(3, next(2), { marker: true });
    assert.equal(found.length, 0);
  });

  it('sends nothing, so that no packet counts as sent', () => {
    collect();
    packet(2, first(1), { marker: true });
    assert.equal(stream.router.stats().packetsOut, 0);
  });

  it('is of the smallest encoding that arrives', () => {
    stream = new RouterFixture();
    const simulcastSsrcs = [500, 100] as const;
    publisher = stream.publish(sdpOffer({ kinds: ['video'], direction: 'sendonly', simulcastSsrcs }));
    publisher.video(1, { payload: first(1), ssrc: 100, marker: true }, 0);
    stream.router.collectKeyframe(null, (keyframe) => found.push(keyframe), LATER);
    publisher.video(2, { payload: first(2), ssrc: 100, marker: true }, LATER);
    assert.deepEqual(found[0]?.data, dataOf(first(2)));
    publisher.video(1, { payload: first(3), ssrc: 500, marker: true }, LATER);
    stream.router.collectKeyframe(null, (keyframe) => found.push(keyframe), 2 * LATER);
    publisher.video(2, { payload: first(4), ssrc: 500, marker: true }, 2 * LATER);
    assert.deepEqual(found[1]?.data, dataOf(first(4)));
  });

  it('is awaited of a live source whose first video packet is yet to come', () => {
    assert.equal(stream.router.videoState(null), 'arriving');
    stream = new RouterFixture();
    publisher = stream.publish(sdpOffer({ direction: 'sendonly' }));
    assert.equal(stream.router.videoState(null), 'none');
    publisher.audio(1);
    assert.equal(stream.router.videoState(null), 'awaited');
    assert.equal(collect(), undefined);
    publisher.end();
    assert.equal(stream.router.videoState(null), 'none');
  });

  it('is none of a source without video', () => {
    stream = new RouterFixture();
    publisher = stream.publish(sdpOffer({ kinds: ['audio'], direction: 'sendonly' }));
    publisher.audio(1);
    assert.equal(collect(), undefined);
  });
});
