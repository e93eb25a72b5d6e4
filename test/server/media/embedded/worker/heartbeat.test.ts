import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import {
  PING_INTERVAL_MS,
  Heartbeat,
  MAX_UNANSWERED_PINGS,
} from '../../../../../server/media/embedded/worker/heartbeat.js';

describe('Heartbeat', () => {
  let asked: number;
  let silent: number;
  let heartbeat: Heartbeat;

  beforeEach(() => {
    asked = silent = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    heartbeat = new Heartbeat({ ping: () => (asked += 1), onSilent: () => (silent += 1) });
    heartbeat.start();
  });
  afterEach(() => {
    heartbeat.stop();
    mock.timers.reset();
  });

  it('sends pings, and accepts any message as an answer', () => {
    for (let beat = 0; beat < 10 * MAX_UNANSWERED_PINGS; beat += 1) {
      mock.timers.tick(PING_INTERVAL_MS);
      heartbeat.received();
    }
    assert.deepEqual([asked, silent], [10 * MAX_UNANSWERED_PINGS, 0]);
  });

  it('waits for a slow process', () => {
    for (let turn = 0; turn < 10; turn += 1) {
      for (let beat = 0; beat < MAX_UNANSWERED_PINGS; beat += 1) mock.timers.tick(PING_INTERVAL_MS);
      heartbeat.received();
    }
    assert.equal(silent, 0);
  });

  it('can be faster', () => {
    heartbeat.stop();
    heartbeat = new Heartbeat({ ping: () => (asked += 1), onSilent: () => (silent += 1), everyMs: 100 });
    heartbeat.start();
    for (let beat = 0; beat <= MAX_UNANSWERED_PINGS; beat += 1) mock.timers.tick(100);
    assert.deepEqual([asked, silent], [MAX_UNANSWERED_PINGS, 1]);
  });

  it('reports a silent process once', () => {
    for (let beat = 0; beat <= MAX_UNANSWERED_PINGS; beat += 1) mock.timers.tick(PING_INTERVAL_MS);
    assert.equal(silent, 1);
    mock.timers.tick(100 * PING_INTERVAL_MS);
    assert.deepEqual([asked, silent], [MAX_UNANSWERED_PINGS, 1]);
  });
});
