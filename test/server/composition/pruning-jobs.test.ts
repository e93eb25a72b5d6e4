import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../../server/config/config.js';
import { createPruningJobs } from '../../../server/composition/pruning-jobs.js';
import { AUDIT_RETENTION_MS } from '../../../server/oversight/audit-store.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const DAY_MS = 24 * 3_600_000;

describe('createPruningJobs', () => {
  let pruned: Record<string, number>;
  let lines: string[];
  let order: string[];
  let failing: Error | undefined;
  let closings: (() => Promise<void>)[];
  beforeEach(() => {
    pruned = {};
    lines = [];
    order = [];
    failing = undefined;
    closings = [];
  });
  afterEach(async () => {
    for (const close of closings) await close();
  });

  const start = async (env: Record<string, string> = {}) => {
    const jobs = createPruningJobs({
      audit: {
        prune: async (time) => {
          if (failing) throw failing;
          pruned['audit'] = time;
        },
      },
      tokens: {
        deleteExpired: async (time) => {
          if (failing) throw failing;
          pruned['tokens'] = time;
          return 3;
        },
      },
      sessions: {
        prune: async (time) => {
          if (failing) throw failing;
          pruned['sessions'] = time;
          order.push('sessions deleted');
          return 3;
        },
      },
      statistics: {
        refresh: async () => {
          order.push('sums made');
          return NOW;
        },
        prune: async () => void order.push('old sums deleted'),
      },
      recordings: {
        deleteExpired: async (time) => {
          if (failing) throw failing;
          pruned['recordings'] = time;
          return 2;
        },
      },
      recordingFolders: { run: async () => void order.push('folders swept') },
      config: readConfig(env),
      now: () => NOW,
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    });
    for (const job of jobs) job.start();
    closings = jobs.map((job) => () => job.close());
    await setImmediate();
  };

  it('makes the sums of sessions before it deletes sessions', async () => {
    await start();
    const ofSessions = order.filter((step) => step !== 'folders swept');
    assert.deepEqual(ofSessions, ['sums made', 'old sums deleted', 'sessions deleted']);
  });

  it('removes the folders that belong to no recording', async () => {
    await start();
    assert.ok(order.includes('folders swept'));
  });

  it('deletes audit entries after 400 days, sessions after 30, and tokens 30 days after they expired', async () => {
    await start();
    assert.deepEqual(pruned, {
      audit: NOW - AUDIT_RETENTION_MS,
      sessions: NOW - 30 * DAY_MS,
      recordings: NOW,
      tokens: NOW - 30 * DAY_MS,
    });
    assert.deepEqual(lines.toSorted(), ['expired recordings were deleted', 'expired tokens were deleted']);
  });

  it('deletes tokens as soon as they expired with 0, and never with off', async () => {
    await start({ EXPIRED_TOKENS_KEPT_DAYS: '0' });
    assert.equal(pruned['tokens'], NOW);
    pruned = {};
    await start({ EXPIRED_TOKENS_KEPT_DAYS: 'off' });
    assert.deepEqual(Object.keys(pruned).toSorted(), ['audit', 'recordings', 'sessions']);
  });

  it('deletes sessions after as many days as SESSIONS_KEPT_DAYS says', async () => {
    await start({ SESSIONS_KEPT_DAYS: '7' });
    assert.equal(pruned['sessions'], NOW - 7 * DAY_MS);
  });

  it('logs a failure of the database', async () => {
    failing = new Error('the database is away');
    await start();
    assert.deepEqual(lines.toSorted(), [
      'expired recordings were not deleted',
      'expired tokens were not deleted',
      'old audit entries were not deleted',
      'old sessions were not deleted',
    ]);
  });
});
