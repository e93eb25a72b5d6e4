import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { DatabaseMonitor } from '../../../../server/store/availability/database-monitor.js';
import { openDatabase } from '../../../../server/store/database.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { suitePostgres } from '../../../support/suite-postgres.js';

const POOL_SIZE = 10;

describe('the guard of a database on PostgreSQL', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());
  const postgres = suitePostgres();

  it('counts calls that wait for a connection, and reports how long they waited, well or not', async () => {
    const monitor = new DatabaseMonitor();
    const db = await openDatabase('', await postgres.migratedDatabase(), { monitor });
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

describe('the guard of a data folder', () => {
  const cleanup = new Cleanup();
  after(() => cleanup.run());

  it('reports that the database is read-only once, and without any call that it accepts writes again', async () => {
    const monitor = new DatabaseMonitor();
    cleanup.after(() => monitor.close());
    const told: string[] = [];
    monitor.on('began', ({ message }) => told.push(message.split(':')[0]!)).on('over', () => told.push('over'));
    const db = await openDatabase(await dataFolder(cleanup), undefined, { monitor });
    cleanup.after(() => db.destroy());
    await sql`pragma query_only = on`.execute(db);
    for (let turn = 0; turn < 3; turn += 1) {
      await assert.rejects(db.deleteFrom('token').execute(), { code: 'database_unavailable' });
      await db.selectFrom('account').selectAll().execute();
    }
    assert.deepEqual(told, ['The database is read-only']);
    await sql`pragma query_only = off`.execute(db);
    await until('it is over', () => monitor.problems.length === 0);
    assert.deepEqual(told, ['The database is read-only', 'over']);
  });
});
