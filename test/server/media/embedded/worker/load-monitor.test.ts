import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LoadMonitor } from '../../../../../server/media/embedded/worker/load-monitor.js';

const EVERY_MS = 20;

describe('LoadMonitor', () => {
  let gauge: LoadMonitor;
  let now: number;

  beforeEach(() => {
    now = 5_000;
    gauge = new LoadMonitor();
    gauge.start(now);
  });

  /** Packets arrive for a while, each having waited this long. */
  function pass(ms: number, late: number): void {
    for (const until = now + ms; now < until;) gauge.addSample(late, (now += EVERY_MS + late));
  }

  it('measures no lag while the loop is on time', () => {
    pass(10_000, 0);
    assert.equal(gauge.lag, 0);
  });

  it('measures the lag after it lasted for some seconds', () => {
    pass(1_000, 200);
    assert.ok(gauge.lag < 100, `${gauge.lag} ms`);
    pass(9_000, 200);
    assert.ok(gauge.lag > 190 && gauge.lag <= 200, `${gauge.lag} ms`);
  });

  it('measures no lag some seconds after it ended', () => {
    pass(10_000, 200);
    pass(1_000, 0);
    assert.ok(gauge.lag > 50, `${gauge.lag} ms`);
    pass(9_000, 0);
    assert.ok(gauge.lag < 10, `${gauge.lag} ms`);
  });

  it('measures no lag after an idle time', () => {
    pass(10_000, 200);
    gauge.start((now += 60_000));
    assert.equal(gauge.lag, 0);
    pass(10_000, 0);
    assert.equal(gauge.lag, 0);
  });

  it('detects a process that was stopped for seconds', () => {
    pass(2_000, 0);
    pass(6_000, 3_000);
    assert.ok(gauge.lag > 1_000, `${gauge.lag} ms`);
  });
});
