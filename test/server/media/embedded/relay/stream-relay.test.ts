import assert from 'node:assert/strict';
import { afterEach, beforeEach, it, mock } from 'node:test';
import type { FedPacket } from '../../../../../server/media/embedded/producer/fed-source.js';
import type { RelayMessage } from '../../../../../server/media/embedded/relay/relay-frames.js';
import type { RelayLink } from '../../../../../server/media/embedded/relay/relay-link.js';
import { RelayedSources } from '../../../../../server/media/embedded/relay/relayed-sources.js';
import { StreamRelay } from '../../../../../server/media/embedded/relay/stream-relay.js';
import { sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const VIDEO_ONLY = { kinds: ['video'] } as const;

// Time stands still: a new receiver gets the last keyframe only while it is recent.
beforeEach(() => mock.method(performance, 'now', () => 1_000));
afterEach(() => mock.restoreAll());

/** A stream and a worker that it is relayed to, over a link that may have no room. */
function openRelay() {
  const [home, away] = [new RouterFixture(), new RouterFixture()];
  const sources = new RelayedSources({ router: away.router });
  const room = { isLeft: true };
  const moreFollow: boolean[] = [];
  const link: RelayLink = {
    send: (message: RelayMessage) => sources.onMessage(link, message),
    sendPacket(source, encoding, { sequence, packet, arrivedAt }: FedPacket, options) {
      moreFollow.push(options.moreFollow);
      if (room.isLeft) sources.onPacket(source, encoding, { sequence, packet, arrivedAt }, performance.now());
      return room.isLeft;
    },
    close() {},
  };
  const relay = new StreamRelay(link, { router: home.router, release() {} }, {});
  return { home, away, relay, room, moreFollow };
}

it('a viewer of a relayed stream gets no packet twice where the relay paused within a keyframe', () => {
  const { home, away, relay, room } = openRelay();
  const publisher = home.publish(sdpOffer({ direction: 'sendonly', ...VIDEO_ONLY }));
  const viewer = away.view(VIDEO_ONLY);
  const send = (sequence: number) =>
    publisher.video(sequence, { keyframe: sequence === 1, timestamp: 3_000 }, performance.now());
  send(1);
  send(2);
  room.isLeft = false;
  send(3);
  room.isLeft = true;
  relay.onDrain();
  send(4);
  assert.deepEqual(viewer.on('video').map(sequenceNumber), [1, 2, 3, 4]);
});

it('a viewer of a relayed stream sees the last keyframe at once where the publisher ignored requests for one', () => {
  const { home, away } = openRelay();
  const publisher = home.publish(sdpOffer({ direction: 'sendonly', ...VIDEO_ONLY }));
  const begun = performance.now();
  let sequence = 0;
  const play = (frames: number, keyframe = false) => {
    for (let index = 0; index < frames; index++) {
      const now = begun + (sequence += 1) * 40;
      publisher.video(sequence, { keyframe: keyframe && index === 0, timestamp: 3_600 * sequence }, now);
      home.run(now, now + 20);
    }
  };
  play(50, true);
  const [before, after] = [away.view(VIDEO_ONLY, { now: begun }), home.view(VIDEO_ONLY, { now: begun + 2_000 })];
  play(50);
  for (const viewer of [before, after]) viewer.leave();
  play(25, true);
  assert.equal(away.view(VIDEO_ONLY, { now: performance.now() }).on('video').length, 1);
});

it('packets wait for the rest of their frame on a link, and sound for nothing', () => {
  const { home, moreFollow } = openRelay();
  const publisher = home.publish();
  const now = performance.now();
  publisher.video(1, { keyframe: true, timestamp: 3_000 }, now);
  publisher.video(2, { timestamp: 3_000 }, now);
  publisher.audio(1, {}, now);
  publisher.video(3, { timestamp: 3_000, marker: true }, now);
  assert.deepEqual(moreFollow, [true, true, false, false]);
});
