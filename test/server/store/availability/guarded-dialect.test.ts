import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DatabaseMonitor } from '../../../../server/store/availability/database-monitor.js';
import { openDatabase } from '../../../../server/store/database.js';
import { Cleanup } from '../../../support/cleanup.js';
import { until } from '../../../support/media/until.js';
import { suitePostgres } from '../../../support/suite-postgres.js';

const POOL_SIZE = 10;

describe('the guard of a database on PostgreSQL', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());
  const postgres = suitePostgres();

  it('counts calls that wait for a connection, and reports how long they waited, well or not', async () => {
    const monitor = new DatabaseMonitor();
    const db = await openDatabase('', await postgres.newDatabase(), { monitor });
    cleanup.after(() => db.destroy());
    const waits: number[] = [];
    monitor.on('took', (step, ms) => step === 'connection' && waits.push(ms));
    const gate = Promise.withResolvers<void>();
    const holders = Array.from({ length: POOL_SIZE }, () =>
      db.transaction().execute(async () => {
        await gate.promise;
      }),
    );
    await until('all connections are used', () => monitor.connections.used === POOL_SIZE);
    const late = db.selectFrom('account').selectAll().execute();
    await until('a call waits', () => monitor.connections.waiting === 1);
    await assert.rejects(late, { code: 'database_unavailable' });
    assert.deepEqual(monitor.connections, { used: POOL_SIZE, waiting: 0 });
    assert.ok(waits.at(-1)! > 1_000, `it waited for ${waits.at(-1)} ms`);
    gate.resolve();
    await Promise.all(holders);
    assert.deepEqual(monitor.connections, { used: 0, waiting: 0 });
  });
});
