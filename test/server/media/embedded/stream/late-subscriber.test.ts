import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const VIDEO_ONLY = { kinds: ['video'] } as const;

describe('a viewer who connects just after a keyframe', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;

  beforeEach(() => {
    stream = new RouterFixture();
    publisher = stream.publish();
  });

  const comes = (now: number) => {
    const { sink } = stream.view(VIDEO_ONLY, { now });
    return { sink, sequences: () => sink.rtp.map(sequenceNumber) };
  };

  it('is sent the keyframe and the packets after it, without a new request', () => {
    publisher.video(65_534, { keyframe: true, timestamp: 3_000 }, 1_000);
    publisher.video(65_535, { timestamp: 6_000 }, 1_033);
    publisher.video(0, { timestamp: 9_000 }, 1_066);
    const { sink, sequences } = comes(1_350);
    assert.deepEqual(sequences(), [32_766, 32_767, 32_768]);
    publisher.video(1, { timestamp: 12_000 }, 1_351);
    assert.deepEqual(sequences(), [32_766, 32_767, 32_768, 32_769]);
    assert.deepEqual(sink.rtp.map(timestamp), [3_000, 6_000, 9_000, 12_000]);
    assert.deepEqual(publisher.sink.keyframeRequests, []);
  });

  it('gets all packets of the keyframe, from the first on', () => {
    for (const sequence of [7, 8, 9]) publisher.video(sequence, { keyframe: true, timestamp: 3_000 }, 1_000);
    assert.deepEqual(comes(1_001).sequences(), [7, 8, 9]);
  });

  it('waits for the next keyframe if the last one is older', () => {
    publisher.video(1, { keyframe: true }, 1_000);
    const { sequences } = comes(1_351);
    assert.deepEqual([sequences(), publisher.sink.keyframeRequests], [[], [2]]);
    publisher.video(2, { keyframe: true }, 1_400);
    assert.deepEqual(sequences(), [2]);
  });

  it('waits for the next keyframe if a packet is missing', () => {
    publisher.video(1, { keyframe: true }, 1_000);
    publisher.video(3, {}, 1_033);
    assert.deepEqual(comes(1_050).sequences(), []);
  });

  it('waits for the next keyframe if too many packets followed', () => {
    publisher.video(1, { keyframe: true }, 1_000);
    for (let sequence = 2; sequence < 200; sequence++) publisher.video(sequence, {}, 1_010);
    assert.deepEqual(comes(1_050).sequences(), []);
  });

  it('causes no packets for other viewers', () => {
    const before = comes(0);
    publisher.video(1, { keyframe: true }, 1_000);
    comes(1_010);
    assert.deepEqual(before.sequences(), [1]);
  });
});

it('has a keyframe requested while the transport opens, and no other one afterwards', () => {
  const stream = new RouterFixture();
  const publisher = stream.publish();
  publisher.video(1, { keyframe: true }, 0);
  const { viewer, sink, leave } = stream.view(VIDEO_ONLY, { now: 0 });
  leave();
  stream.router.prepareSubscriber(viewer, 1_000);
  assert.deepEqual(publisher.sink.keyframeRequests, [2]);
  publisher.video(2, { keyframe: true }, 1_050);
  const before = sink.rtp.length;
  const late = stream.view(VIDEO_ONLY, { now: 1_200 });
  assert.deepEqual(late.sink.rtp.map(sequenceNumber), [2]);
  assert.deepEqual([publisher.sink.keyframeRequests.length, sink.rtp.length], [1, before]);
});
