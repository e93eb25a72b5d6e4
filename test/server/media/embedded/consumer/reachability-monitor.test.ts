import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ReachabilityMonitor } from '../../../../../server/media/embedded/consumer/reachability-monitor.js';

describe('whether a viewer can be reached', () => {
  let said: boolean[];
  let viewer: ReachabilityMonitor;

  beforeEach(() => {
    said = [];
    viewer = new ReachabilityMonitor((reachable) => said.push(reachable));
  });

  /** Once a second, from one moment to another. */
  const pass = (sent: Parameters<ReachabilityMonitor['check']>[0], from: number, to: number) => {
    for (let now = from; now <= to; now += 1_000) viewer.check(sent, now);
  };

  it('is said once when its transport opens', () => {
    viewer.onReport(0);
    viewer.onReport(1_000);
    assert.deepEqual(said, [true]);
  });

  it('is not when it is sent a picture and says nothing for five seconds', () => {
    viewer.onReport(0);
    pass('video', 1_000, 5_000);
    assert.deepEqual(said, [true]);
    pass('video', 6_000, 9_000);
    assert.deepEqual(said, [true, false]);
    viewer.onReport(10_000);
    assert.deepEqual(said, [true, false, true]);
  });

  it('takes longer to tell of sound alone, on which receivers report less often', () => {
    viewer.onReport(0);
    pass('audio', 1_000, 15_000);
    assert.deepEqual(said, [true]);
    pass('audio', 16_000, 17_000);
    assert.deepEqual(said, [true, false]);
  });

  it('is not asked while nothing is sent', () => {
    viewer.onReport(0);
    pass('nothing', 1_000, 60_000);
    pass('video', 61_000, 65_000);
    assert.deepEqual(said, [true]);
    pass('video', 66_000, 66_000);
    assert.deepEqual(said, [true, false]);
  });
});
