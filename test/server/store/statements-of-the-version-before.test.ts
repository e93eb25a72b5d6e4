import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/store/database.js';
import { Cleanup } from '../../support/cleanup.js';
import { contractTables } from '../../support/later-version.js';
import { suitePostgres } from '../../support/suite-postgres.js';

// Two versions side by side: the version that was released before executes its statements on the tables of this one. The
// file is recorded with each release ("A release" in CONTRIBUTING.md).
const STATEMENTS: readonly string[] = JSON.parse(
  readFileSync(new URL('migrations/statements-at-0029.postgres.json', import.meta.url), 'utf8'),
);

describe('the statements of the version before', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const open = async () => {
    const db = await openDatabase('', await postgres.migratedDatabase());
    cleanup.after(() => db.destroy());
    return db;
  };
  /** PostgreSQL reads each statement, and looks up its tables, columns and types, without executing it. */
  const faults = async (db: Awaited<ReturnType<typeof open>>) =>
    await db.connection().execute(async (connection) => {
      const found: string[] = [];
      for (const statement of STATEMENTS) {
        try {
          await sql.raw(`prepare statement as ${statement}`).execute(connection);
          await sql`deallocate statement`.execute(connection);
        } catch (error) {
          found.push(`${String(error)}: ${statement}`);
        }
      }
      return found;
    });

  it('fit the tables of this one', async () => {
    assert.ok(STATEMENTS.length > 300);
    assert.deepEqual(await faults(await open()), []);
  });

  it('do not fit tables from which something that they use was taken', async () => {
    const db = await open();
    await contractTables(db);
    const found = await faults(db);
    assert.ok(found.length > 0 && found.every((fault) => fault.includes('account_theme')), found.join('\n'));
  });
});
