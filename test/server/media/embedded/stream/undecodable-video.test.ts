import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const HIGH = '640028';
const h264Offer = (profile: string) =>
  sdpOffer({ direction: 'sendonly', videoCodecs: ['h264'] }).replace('42e01f', profile);

describe('a viewer who waits for a stream whose video it cannot decode', () => {
  const streamIn = (profile: string) => {
    const stream = new RouterFixture();
    const { sink } = stream.view({ videoCodecs: ['h264'] }, { now: 0 });
    const publisher = stream.publish(h264Offer(profile));
    for (const sequence of [1, 2, 3]) publisher.video(sequence, { codec: 'h264', keyframe: true, timestamp: 0 }, 100);
    publisher.audio(1, {}, 110);
    return { sink, publisher };
  };

  it('gets the sound and no video, and has nobody send keyframes', () => {
    const { sink, publisher } = streamIn(HIGH);
    assert.equal(sink.rtp.length, 1, 'the sound');
    assert.deepEqual(publisher.sink.keyframeRequests, []);
  });

  it('gets both where it can decode the video', () => {
    assert.equal(streamIn('42e01f').sink.rtp.length, 4);
  });
});
