import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { FigureCounter } from '../../../../../server/media/embedded/worker/worker-figures.js';

const GAUGES = { publishers: 1, streams: 1, eventLoopDelayMs: 3, eventLoopBusy: 0.5, loadDegree: 0 };
const reception = (packets: number, lost: number) => ({ packets, lost, shed: 0, jitterMs: 0, bitrate: 0, codecs: {} });
const viewer = (packets: number, roundTripMs?: number) => ({
  network: { packets, lost: 2, roundTripMs },
  availableBitrate: roundTripMs === undefined ? undefined : 1_000_000,
  resent: 1,
  failedSends: 4,
});

describe('FigureCounter', () => {
  let counter: FigureCounter;
  beforeEach(() => (counter = new FigureCounter()));

  it('adds up what publishers sent, what was requested of them, and what was shed', () => {
    counter.onReception(reception(100, 1));
    counter.onReception(reception(50, 0));
    counter.onKeyframeRequested();
    counter.onShed('video');
    counter.onShed('video');
    counter.onShed('audio');
    const { packetsReceived, packetsLost, keyframeRequests, shedFrames, shedSoundPackets } = counter.figures(GAUGES);
    assert.deepEqual([packetsReceived, packetsLost, keyframeRequests, shedFrames, shedSoundPackets], [150, 1, 1, 2, 1]);
  });

  it('keeps what viewers counted who have left, once', () => {
    const [stays, leaves] = [viewer(1_000, 40), viewer(500)];
    counter.addViewer(stays);
    counter.addViewer(leaves);
    const before = counter.figures(GAUGES);
    counter.removeViewer(leaves);
    counter.removeViewer(leaves);
    const after = counter.figures(GAUGES);
    const expected = { packetsSent: 1_500, packetsMissed: 4, packetsResent: 2, failedSends: 8 };
    for (const figures of [before, after]) {
      const { packetsSent, packetsMissed, packetsResent, failedSends } = figures;
      assert.deepEqual({ packetsSent, packetsMissed, packetsResent, failedSends }, expected);
    }
    assert.deepEqual([before.viewers, after.viewers], [2, 1]);
  });

  it('has the median of what is known of the viewers', () => {
    assert.equal(counter.figures(GAUGES).roundTripMs, undefined);
    for (const roundTripMs of [30, undefined, 500, 20]) counter.addViewer(viewer(1, roundTripMs));
    const { roundTripMs, availableBitrate } = counter.figures(GAUGES);
    assert.deepEqual([roundTripMs, availableBitrate], [30, 1_000_000]);
  });
});
