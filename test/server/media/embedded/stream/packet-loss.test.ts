import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { findExtension } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { sequenceNumber } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack, receiverReport, senderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { transportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';
import type { ViewOptions } from '../../../../../server/media/engine/media-session.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const PLAYOUT_DELAY_ID = 6;
const EXTENSIONS = {
  3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  [PLAYOUT_DELAY_ID]: 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay',
};

describe('on a long path that loses packets', () => {
  let stream: RouterFixture;
  let camera: ReturnType<RouterFixture['publish']>;

  beforeEach(() => {
    stream = new RouterFixture();
    camera = stream.publish();
  });

  const viewByReports = () => stream.view({ extensions: EXTENSIONS });
  const view = (options: ViewOptions = {}) => {
    const offer = { extensions: EXTENSIONS, congestionFeedback: ['transport-cc'] as const };
    return stream.view(offer, options);
  };

  /** The playout delay of the newest video packet, in ms. */
  function held(viewer: ReturnType<typeof view>): { min: number; max: number } | undefined {
    const packet = viewer.on('video').at(-1)!;
    const at = findExtension(packet, PLAYOUT_DELAY_ID);
    if (at < 0) return undefined;
    const value = packet.readUIntBE(at, 3);
    return { min: 10 * (value >> 12), max: 10 * (value & 0xfff) };
  }

  /** Loses each of these pictures once, with a round-trip time of 200 ms to the viewer. */
  function loseOnTheWayDown(viewer: ReturnType<typeof view>, pictures: number): void {
    for (let picture = 1; picture <= pictures; picture++) {
      const now = picture * 50;
      camera.video(picture, { keyframe: picture === 1 }, now);
      const report = { firstSequence: picture - 1, arrivals: Float64Array.of(now), count: 0 };
      viewer.sendRtcp(transportFeedback(9, 0, report), now + 200);
      viewer.sendRtcp(nack(9, viewer.ssrcOf('video'), [sequenceNumber(viewer.on('video').at(-1)!)]), now + 200);
    }
    stream.run(1_000, 2_100);
    camera.video(pictures + 1, {}, 2_200);
  }

  it('the player’s delay is set to the time that a retransmission takes', () => {
    const viewer = view();
    loseOnTheWayDown(viewer, 3);
    assert.deepEqual(held(viewer), { min: 240, max: 40_950 });
  });

  it('the delay of a player without transport feedback is set by the round-trip time of receiver reports', () => {
    const viewer = viewByReports();
    camera.video(0, { keyframe: true }, 0);
    const clock = { ntpSeconds: 1, ntpFraction: 2 ** 31, rtpTimestamp: 0, packets: 1, bytes: 1 };
    camera.send(senderReport(2, clock, 'camera'), 20);
    const block = { fractionLost: 0, packetsLost: 0, highestSequence: 0, jitter: 0 };
    const heard = { lastSenderReport: 0x1_8000, delaySinceLastSenderReport: 65_536 / 2 };
    viewer.sendRtcp(receiverReport(9, [{ ssrc: viewer.ssrcOf('video'), ...block, ...heard }]), 20 + 500 + 200);
    for (let picture = 1; picture <= 3; picture++) {
      camera.video(picture, {}, 700 + picture * 50);
      const lost = sequenceNumber(viewer.on('video').at(-1)!);
      viewer.sendRtcp(nack(9, viewer.ssrcOf('video'), [lost]), 900 + picture * 50);
    }
    stream.run(1_100, 2_200);
    camera.video(4, {}, 2_300);
    assert.equal(held(viewer)?.min, 240);
  });

  it('the player’s delay stays unset if hardly anything is lost', () => {
    const viewer = view();
    loseOnTheWayDown(viewer, 2);
    assert.deepEqual(held(viewer), { min: 0, max: 40_950 });
  });

  it('a delay that the viewer chose stays unchanged', () => {
    const viewer = view({ playoutDelay: { min: 0, max: 100 } });
    loseOnTheWayDown(viewer, 3);
    assert.deepEqual(held(viewer), { min: 0, max: 100 });
  });

  it("players hold back what the server itself had to ask for, while they see that source's picture", () => {
    const [viewer, elsewhere] = [view(), view({ pinnedSourceId: 'other' })];
    const other = stream.publish(undefined, 'other');
    other.video(1, { keyframe: true }, 0);
    camera.video(1, { keyframe: true }, 0);
    for (const lost of [3, 5, 7]) {
      const now = lost * 50;
      camera.video(lost - 1, {}, now);
      camera.video(lost + 1, {}, now);
      camera.video(lost, {}, now + 150);
    }
    stream.run(1_000, 2_100);
    camera.video(10, {}, 2_200);
    other.video(2, {}, 2_200);
    assert.equal(held(viewer)?.min, 190);
    assert.equal(held(elsewhere)?.min, 0);
  });
});
