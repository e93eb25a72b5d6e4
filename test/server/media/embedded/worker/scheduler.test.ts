import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Scheduler } from '../../../../../server/media/embedded/worker/scheduler.js';

describe('Scheduler', () => {
  let now: number;
  let urgent: boolean;
  let ticks: number[];
  let ticker: Scheduler;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    now = 1_000;
    urgent = false;
    ticks = [];
    ticker = new Scheduler(
      () => now,
      (at) => {
        ticks.push(at);
        return urgent;
      },
    );
    ticker.start();
  });
  afterEach(() => mock.timers.reset());

  function pass(ms: number): void {
    for (let passed = 0; passed < ms; passed++) {
      now++;
      mock.timers.tick(1);
    }
  }

  it('ticks with packets, at most every 50 ms', () => {
    for (let packet = 0; packet < 20; packet++) {
      pass(9);
      ticker.onPacket(now);
    }
    assert.deepEqual(ticks, [1_054, 1_108, 1_162]);
  });

  it('uses no timer while packets arrive', () => {
    for (let frame = 0; frame < 30; frame++) {
      pass(33);
      ticker.onPacket(now);
    }
    assert.equal(ticks.length, 15);
  });

  it('ticks ten times a second without packets', () => {
    pass(1_000);
    assert.deepEqual(ticks.slice(0, 3), [1_100, 1_200, 1_300]);
    assert.equal(ticks.length, 10);
  });

  it('ticks every 20 ms while work is due soon', () => {
    urgent = true;
    ticker.runSoonIf(true);
    pass(60);
    urgent = false;
    pass(200);
    assert.deepEqual(ticks, [1_020, 1_040, 1_060, 1_080, 1_180]);
  });

  it('does not postpone a tick when more work is due', () => {
    for (let packet = 0; packet < 25; packet++) {
      ticker.runSoonIf(true);
      pass(1);
    }
    assert.deepEqual(ticks, [1_020]);
  });

  it('stops if a tick stops it', () => {
    const ending: Scheduler = new Scheduler(
      () => now,
      () => {
        ticks.push(now);
        ending.stop();
        return true;
      },
    );
    ticker.stop();
    ending.start();
    pass(500);
    assert.deepEqual(ticks, [1_100]);
    assert.equal(ending.running, false);
  });

  it('does not tick before the start or after the stop', () => {
    ticker.stop();
    ticker.onPacket(now + 500);
    ticker.runSoonIf(true);
    pass(500);
    assert.deepEqual(ticks, []);
    assert.equal(ticker.running, false);
    ticker.start();
    pass(100);
    assert.equal(ticks.length, 1);
  });
});
