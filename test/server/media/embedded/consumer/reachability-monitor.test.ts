import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ReachabilityMonitor } from '../../../../../server/media/embedded/consumer/reachability-monitor.js';

describe('ReachabilityMonitor', () => {
  let said: boolean[];
  let viewer: ReachabilityMonitor;

  beforeEach(() => {
    said = [];
    viewer = new ReachabilityMonitor((reachable) => said.push(reachable));
  });

  /** Checks once a second, from one time to another. */
  const pass = (sent: Parameters<ReachabilityMonitor['check']>[0], from: number, to: number) => {
    for (let now = from; now <= to; now += 1_000) viewer.check(sent, now);
  };

  it('reports once that the transport opened', () => {
    viewer.onReport(0);
    viewer.onReport(1_000);
    assert.deepEqual(said, [true]);
  });

  it('reports a viewer of video as unreachable after five seconds without a report', () => {
    viewer.onReport(0);
    pass('video', 1_000, 5_000);
    assert.deepEqual(said, [true]);
    pass('video', 6_000, 9_000);
    assert.deepEqual(said, [true, false]);
    viewer.onReport(10_000);
    assert.deepEqual(said, [true, false, true]);
  });

  it('waits longer for a viewer of audio alone, who reports less often', () => {
    viewer.onReport(0);
    pass('audio', 1_000, 15_000);
    assert.deepEqual(said, [true]);
    pass('audio', 16_000, 17_000);
    assert.deepEqual(said, [true, false]);
  });

  it('expects no reports while nothing is sent', () => {
    viewer.onReport(0);
    pass('nothing', 1_000, 60_000);
    pass('video', 61_000, 65_000);
    assert.deepEqual(said, [true]);
    pass('video', 66_000, 66_000);
    assert.deepEqual(said, [true, false]);
  });
});
