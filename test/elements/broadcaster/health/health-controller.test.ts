import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { ReactiveControllerHost } from 'lit';
import { HealthController } from '../../../../src/elements/broadcaster/health/health-controller.js';

/** What a browser reports of an upload that its processor limits. */
const report = (timestamp: number): RTCStatsReport =>
  new Map([['one', { type: 'outbound-rtp', kind: 'video', timestamp, bytesSent: 1, qualityLimitationReason: 'cpu' }]]);

describe('the health of a broadcast', () => {
  let isLive = true;
  let reports = 0;
  let health: HealthController;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    [isLive, reports] = [true, 0];
    const host: ReactiveControllerHost = {
      addController() {},
      removeController() {},
      requestUpdate() {},
      updateComplete: Promise.resolve(true),
    };
    health = new HealthController(
      host,
      {
        getStats: async () => report((reports += 1) * 1_000),
        isWanted: () => isLive,
      },
      () => false,
    );
    health.hostUpdate();
  });
  afterEach(() => {
    health.hostDisconnected();
    mock.timers.reset();
  });

  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) {
      mock.timers.tick(1_000);
      await new Promise(setImmediate);
    }
  };

  it('is told after some seconds, and is gone in the update that shows the end of the broadcast', async () => {
    await seconds(6);
    assert.deepEqual([health.current?.verdict, health.told.verdict], ['busy', 'busy']);
    isLive = false;
    health.hostUpdate();
    assert.deepEqual([health.current, health.told.verdict], [undefined, 'good']);
    await seconds(2);
    assert.equal(reports, 7);
  });
});
