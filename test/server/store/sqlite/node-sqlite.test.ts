import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Kysely } from 'kysely';
import { countRows, firstColumn, sqliteDialect } from '../../../../server/store/sqlite/node-sqlite.js';

interface Tables {
  point: { id: number; label: string | null };
}

function points(): { readonly db: Kysely<Tables>; readonly sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(':memory:');
  sqlite.exec('create table point (id integer primary key, label text unique)');
  return { db: new Kysely<Tables>({ dialect: sqliteDialect(sqlite) }), sqlite };
}

describe('the dialect for the SQLite of Node', () => {
  it('reports ids and the number of changed rows', async () => {
    const { db } = points();
    const { insertId } = await db.insertInto('point').values({ id: 7, label: 'a' }).executeTakeFirstOrThrow();
    assert.equal(insertId, 7n);
    await db.insertInto('point').values({ id: 8, label: null }).execute();
    const { numUpdatedRows } = await db.updateTable('point').set({ label: null }).executeTakeFirstOrThrow();
    assert.equal(numUpdatedRows, 2n);
  });

  it('returns the rows of selects, and of writes that return rows', async () => {
    const { db } = points();
    const inserted = await db.insertInto('point').values({ id: 1, label: 'a' }).returningAll().execute();
    assert.deepEqual(inserted, [{ id: 1, label: 'a' }]);
    const labels = [];
    for await (const { label } of db.selectFrom('point').selectAll().stream()) labels.push(label);
    assert.deepEqual(labels, ['a']);
  });

  it('keeps a text as it is, with NUL and beyond ASCII', async () => {
    const { db } = points();
    const label = 'a\0b ünï🎥';
    await db.insertInto('point').values({ id: 1, label }).execute();
    const found = await db.selectFrom('point').select('label').where('label', '=', label).executeTakeFirst();
    assert.equal(found?.label, label);
  });

  it('closes the file when Kysely is destroyed', async () => {
    const { db, sqlite } = points();
    await db.selectFrom('point').selectAll().execute();
    await db.destroy();
    assert.equal(sqlite.isOpen, false);
  });
});

describe('reading SQLite without Kysely', () => {
  it('gives the values of a column, and counts rows', () => {
    const { sqlite } = points();
    sqlite.exec(`insert into point values (1, 'a'), (2, null)`);
    assert.deepEqual(firstColumn(sqlite.prepare('select label from point where id < ? order by id'), 3), ['a', null]);
    assert.equal(countRows(sqlite, 'point'), 2);
  });
});
