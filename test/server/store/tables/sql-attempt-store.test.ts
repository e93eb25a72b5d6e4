import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlAttemptStore } from '../../../../server/store/tables/sql-attempt-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const subject = (key: string) => ({ key, rule: { free: 1, mostMs: 60_000 } });

it('keeps nothing of an attempt that must wait, so that an address cannot fill the disk with names', async () => {
  const db = await openDatabase(await dataFolder(cleanup));
  cleanup.after(() => db.destroy());
  const store = new SqlAttemptStore(db);
  const tryAs = (name: string) => store.begin([subject(`name ${name}`), subject('address a')], 0);

  assert.equal(await tryAs('first'), undefined);
  for (const name of ['second', 'third', 'fourth']) assert.equal(await tryAs(name), 1_000);
  const rows = await db.selectFrom('failed_attempt').select('subject').orderBy('subject').execute();
  assert.deepEqual(
    rows.map(({ subject }) => subject),
    ['address a', 'name first'],
  );
});
