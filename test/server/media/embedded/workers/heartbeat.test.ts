import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { BEAT_MS, Heartbeat, SILENT_BEATS } from '../../../../../server/media/embedded/workers/heartbeat.js';

describe('Heartbeat', () => {
  let asked: number;
  let silent: number;
  let heartbeat: Heartbeat;

  beforeEach(() => {
    asked = silent = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    heartbeat = new Heartbeat({ ask: () => (asked += 1), onSilent: () => (silent += 1) });
    heartbeat.start();
  });
  afterEach(() => {
    heartbeat.stop();
    mock.timers.reset();
  });

  it('asks, and is content with any answer', () => {
    for (let beat = 0; beat < 10 * SILENT_BEATS; beat += 1) {
      mock.timers.tick(BEAT_MS);
      heartbeat.heard();
    }
    assert.deepEqual([asked, silent], [10 * SILENT_BEATS, 0]);
  });

  it('waits for one that is slow', () => {
    for (let turn = 0; turn < 10; turn += 1) {
      for (let beat = 0; beat < SILENT_BEATS; beat += 1) mock.timers.tick(BEAT_MS);
      heartbeat.heard();
    }
    assert.equal(silent, 0);
  });

  it('tells once of one that says nothing', () => {
    for (let beat = 0; beat <= SILENT_BEATS; beat += 1) mock.timers.tick(BEAT_MS);
    assert.equal(silent, 1);
    mock.timers.tick(100 * BEAT_MS);
    assert.deepEqual([asked, silent], [SILENT_BEATS, 1]);
  });
});
