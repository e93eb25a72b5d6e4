import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { DownTrackParameters } from '../../../../../server/media/embedded/consumer/down-track.js';
import { ExtensionBlock } from '../../../../../server/media/embedded/rtp/extension-block.js';
import { remb, receiverReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { transportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';
import { SubscriberTransport } from '../../../../../server/media/embedded/consumer/subscriber-transport.js';
import { Sink } from '../../../../support/media/router-fixture.js';

const [AUDIO, VIDEO] = [1, 2];
const REPORT = { packetsLost: 0, highestSequence: 0, jitter: 0, lastSenderReport: 0, delaySinceLastSenderReport: 0 };

function parametersOf(kind: 'audio' | 'video', ssrc: number): DownTrackParameters {
  const numbered = { mid: undefined, playoutDelay: undefined, transportSequence: 3, absoluteSendTime: undefined };
  const base = {
    mid: kind,
    kind,
    ssrc,
    formats: [],
    redundancy: undefined,
    retransmissions: {},
    retransmissionSsrc: undefined,
  };
  return { ...base, cname: 'c', extensions: new ExtensionBlock(numbered) };
}

describe('SubscriberTransport', () => {
  let reachable: boolean[];

  beforeEach(() => {
    reachable = [];
  });

  function connect(hasCongestionFeedback: boolean): SubscriberTransport {
    const tracks = [parametersOf('audio', AUDIO), parametersOf('video', VIDEO)];
    const parameters = { tracks, hasCongestionFeedback, additionalTrack: () => undefined };
    const transport = new SubscriberTransport(new Sink(), parameters, (is) => reachable.push(is));
    for (const track of tracks) transport.addDownTrack(track);
    return transport;
  }

  describe('the available bitrate', () => {
    it('is known from the start if the viewer agreed to send feedback', () => {
      assert.equal(connect(true).availableBitrate, 2_000_000);
    });

    it('is known from the first REMB otherwise', () => {
      const viewer = connect(false);
      assert.equal(viewer.availableBitrate, undefined);
      viewer.receive(remb(9, 400_000, [VIDEO]), 0);
      assert.equal(Math.round(viewer.availableBitrate! / 1_000), 400);
    });

    it('is known from receiver reports on video, and on nothing else', () => {
      const viewer = connect(false);
      for (const ssrc of [AUDIO, 77]) viewer.receive(receiverReport(9, [{ ...REPORT, ssrc, fractionLost: 0 }]), 0);
      assert.equal(viewer.availableBitrate, undefined);
      viewer.receive(receiverReport(9, [{ ...REPORT, ssrc: VIDEO, fractionLost: 0 }]), 0);
      assert.notEqual(viewer.availableBitrate, undefined);
    });

    it('falls by half of the loss, and not to the little that is sent, while no video is sent', () => {
      const viewer = connect(true);
      viewer.sendMedia(Buffer.alloc(1_000), true, 0);
      viewer.receive(receiverReport(9, [{ ...REPORT, ssrc: VIDEO, fractionLost: 128 }]), 1_000);
      assert.equal(viewer.availableBitrate, 2_000_000 * (1 - 0.25 / 2));
    });

    it('uses no more than 200 feedback messages a second', () => {
      const viewer = connect(true);
      const feedback = transportFeedback(9, VIDEO, { firstSequence: 0, arrivals: Float64Array.of(20), count: 0 });
      // After feedback the next feedback is awaited: if it is ignored, the estimate falls within a second.
      for (let report = 0; report < 201; report++) viewer.receive(feedback, 0);
      viewer.sendMedia(Buffer.alloc(1_000), true, 0);
      viewer.receive(feedback, 0);
      viewer.onSecond(1_000);
      assert.equal(viewer.availableBitrate, 1_400_000);
      viewer.receive(feedback, 1_000);
      viewer.onSecond(2_000);
      assert.equal(viewer.availableBitrate, 1_400_000);
    });
  });

  it('reports once that the viewer is reachable, whatever RTCP arrives', () => {
    const viewer = connect(true);
    assert.deepEqual(reachable, []);
    viewer.onOpen(0);
    viewer.receive(Buffer.of(0x80), 0);
    viewer.receive(receiverReport(9, []), 10);
    assert.deepEqual(reachable, [true]);
  });
});
