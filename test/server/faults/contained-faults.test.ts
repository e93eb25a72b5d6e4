import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ContainedFaults, LINES_A_MINUTE } from '../../../server/faults/contained-faults.js';
import { reportFault } from '../../../server/faults/fault.js';

const MINUTE_MS = 60_000;

describe('ContainedFaults', () => {
  let now: number;
  let lines: { readonly level: string; readonly [field: string]: unknown }[];
  let faults: ContainedFaults;
  beforeEach(() => {
    [now, lines] = [MINUTE_MS, []];
    const write = (level: string) => (fields: object) =>
      void lines.push({ level, ...JSON.parse(JSON.stringify(fields)) });
    faults = new ContainedFaults({ now: () => now, log: { warn: write('warn'), error: write('error') } });
  });
  afterEach(() => faults.close());

  it('counts by part, the newest first, and logs what the fault belongs to', () => {
    reportFault('sessions', 'broken', { of: { session: 'one' } });
    now += 1;
    reportFault('media_process', 'a text', { count: 5 });
    assert.deepEqual(faults.counts, [
      { part: 'media_process', count: 5, last: MINUTE_MS + 1 },
      { part: 'sessions', count: 1, last: MINUTE_MS },
    ]);
    assert.deepEqual([faults.countOf('sessions'), faults.countOf('http')], [1, 0]);
    assert.deepEqual(lines, [
      { level: 'error', part: 'sessions', session: 'one', err: 'broken' },
      { level: 'error', part: 'media_process', err: 'a text', omitted: 4 },
    ]);
  });

  it('logs a few of a flood in each minute, says how many it left out, and counts all', () => {
    for (let sent = 0; sent < 1_000; sent += 1) reportFault('cluster_message', sent);
    reportFault('sessions', 'of another part');
    assert.equal(lines.length, LINES_A_MINUTE + 1);
    assert.equal(faults.countOf('cluster_message'), 1_000);
    now += MINUTE_MS;
    reportFault('cluster_message', 'a minute later');
    reportFault('cluster_message', 'and one more');
    assert.deepEqual(lines.slice(-2), [
      { level: 'warn', part: 'cluster_message', err: 'a minute later', omitted: 1_000 - LINES_A_MINUTE },
      { level: 'warn', part: 'cluster_message', err: 'and one more' },
    ]);
  });
});
