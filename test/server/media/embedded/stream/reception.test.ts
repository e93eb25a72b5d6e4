import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ReceiveStream } from '../../../../../server/media/embedded/producer/receive-stream.js';
import { addSource } from '../../../../../server/media/embedded/stream/add-source.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const SECOND = 1_000;

describe('how the media of a source arrives', () => {
  let fixture: RouterFixture;

  beforeEach(() => {
    fixture = new RouterFixture();
  });

  it('is measured once a second while the source is live', () => {
    const { router, receptions } = fixture;
    const publisher = fixture.publish();
    router.tick(0);
    assert.deepEqual(receptions, []);
    publisher.video(1, { keyframe: true }, SECOND);
    for (const sequence of [2, 3, 5, 6]) publisher.video(sequence, {}, SECOND);
    publisher.audio(1, {}, SECOND);
    router.tick(SECOND);
    publisher.video(7, {}, 2 * SECOND);
    router.tick(2 * SECOND);
    assert.deepEqual(
      receptions.map(({ source, state: { packets, lost, codecs } }) => ({ source, packets, lost, codecs })),
      [
        { source: null, packets: 6, lost: 1, codecs: { audio: 'opus', video: 'vp8' } },
        { source: null, packets: 1, lost: 0, codecs: { audio: 'opus', video: 'vp8' } },
      ],
    );
  });

  it('has the bitrate of an encoder that is no peer, as one over RTMP', () => {
    const { router, receptions } = fixture;
    const source = addSource({ router, release: () => {} }, { video: { codec: 'vp8' } }, {});
    source.write({ kind: 'video', data: Buffer.alloc(50_000, 2), isKeyframe: true, timestampMs: 0 });
    const now = performance.now();
    for (const second of [0, 1, 2]) router.tick(now + second * SECOND);
    assert.ok(receptions.some(({ state: { bitrate } }) => bitrate > 400_000 && bitrate < 450_000));
  });

  it('is not measured after the source ended', () => {
    const publisher = fixture.publish();
    publisher.video(1, { keyframe: true }, 0);
    publisher.end();
    fixture.router.tick(SECOND);
    assert.deepEqual(fixture.receptions, []);
  });
});

describe('the lost packets of one SSRC', () => {
  const receive = (stream: ReceiveStream, sequence: number, now = sequence * 10) =>
    stream.receive(sequence & 0xffff, now * 90, now);

  it('are those that were not there when a later one arrived, also if they were sent again', () => {
    const stream = new ReceiveStream(7, 90_000);
    for (const sequence of [1, 2, 5]) receive(stream, sequence);
    assert.equal(stream.lost, 2);
    assert.deepEqual(stream.takeNackList(60), [3, 4]);
    receive(stream, 3, 100);
    assert.deepEqual([stream.lost, stream.received], [2, 4]);
  });

  it('are not those that only came in another order', () => {
    const stream = new ReceiveStream(7, 90_000);
    for (const sequence of [1, 3, 2, 6, 5, 4, 7]) receive(stream, sequence);
    assert.deepEqual([stream.lost, stream.received], [0, 7]);
  });

  it('are those of a long outage too, and none of a jump in the numbers', () => {
    const stream = new ReceiveStream(7, 90_000);
    receive(stream, 1);
    receive(stream, 1_002);
    assert.equal(stream.lost, 1_000);
    receive(stream, 1_002 + 4_000);
    assert.equal(stream.lost, 1_000);
  });

  it('are as many as the network dropped, whatever the order', () => {
    const isLost = fc.array(fc.boolean(), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(isLost, (lost) => {
        const stream = new ReceiveStream(7, 90_000);
        receive(stream, 1);
        lost.forEach((drop, index) => drop || receive(stream, index + 2));
        // The last packet shows which of those before it are missing.
        receive(stream, lost.length + 2);
        assert.equal(stream.lost, lost.filter(Boolean).length);
      }),
    );
  });
});
