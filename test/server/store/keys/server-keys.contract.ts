import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Database } from '../../../../server/store/schema.js';
import { openKeys } from '../../../../server/store/keys/key-file.js';
import { EncryptionKeyError, openServerKeys } from '../../../../server/store/keys/server-keys.js';
import { SqlTokenStore } from '../../../../server/store/tables/sql-token-store.js';
import { RowFaults } from '../../../../server/store/rows/row-faults.js';
import { ValueSeal } from '../../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { aTokenRecord } from '../../../support/token.js';

const scope = { accountId: 'acme', kind: 'subscribe' } as const;

/** The contract of the key of a database. `open` returns an empty database with the account `acme`. */
export function serverKeysContract(name: string, open: (cleanup: Cleanup) => Promise<Database>): void {
  describe(`${name} and the key of its tokens`, () => {
    const cleanup = new Cleanup();
    let db: Database;
    beforeEach(async () => {
      db = await open(cleanup);
    });
    afterEach(() => cleanup.run());

    const aKey = () => new Uint8Array(randomBytes(32));
    const openWith = (encryptionKey: Uint8Array) => openServerKeys(db, { dataDir: '/nowhere', encryptionKey });
    const storeWith = (encryptionKey: Uint8Array, at = db) =>
      new SqlTokenStore(at, new ValueSeal(openKeys('/nowhere', encryptionKey).sealKey));

    it('accepts the first key, and no other later', async () => {
      const key = aKey();
      await openWith(key);
      await assert.rejects(openWith(aKey()), (error) => {
        assert.ok(error instanceof EncryptionKeyError);
        assert.match(error.message, /^ENCRYPTION_KEY is not the key .* set ENCRYPTION_KEY to the key of the other/);
        return true;
      });
      await openWith(key);
    });

    it('accepts one of several concurrent keys', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openWith(aKey())));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof EncryptionKeyError, outcome.reason);
      }
    });

    it('accepts the key of existing tokens, one of which may be damaged', async () => {
      const key = aKey();
      const store = storeWith(key);
      const damaged = await store.create(aTokenRecord({ token: 'a' }));
      await store.create(aTokenRecord({ token: 'b' }));
      await db.updateTable('token').set({ value_sealed: 'AAAA' }).where('id', '=', damaged.id).execute();
      await assert.rejects(openWith(aKey()), EncryptionKeyError);
      await openWith(key);
      await store.delete(scope, damaged.id + 1);
      await assert.rejects(openWith(aKey()), EncryptionKeyError);
    });

    it('replaces a check that is damaged, for the key that opens the tokens and for no other', async () => {
      const [key, other] = [aKey(), aKey()];
      await openWith(key);
      await db.updateTable('seal_check').set({ sealed: 'damaged' }).execute();
      await assert.rejects(openWith(key), EncryptionKeyError, 'nothing shows which key it was');
      for (const token of ['a', 'b']) await storeWith(key).create(aTokenRecord({ token }));
      await storeWith(other).create(aTokenRecord({ token: 'c' }));
      await assert.rejects(openWith(other), EncryptionKeyError);
      await openWith(key);
      const { sealed } = await db.selectFrom('seal_check').select('sealed').executeTakeFirstOrThrow();
      assert.notEqual(sealed, 'damaged');
      await assert.rejects(openWith(other), EncryptionKeyError);
    });

    it('creates no key file if the database has a key already', async () => {
      const [first, second] = [await dataFolder(cleanup), await dataFolder(cleanup)];
      const own = (dataDir: string) => openServerKeys(db, { dataDir, encryptionKey: undefined });
      await own(first);
      await own(first);
      await assert.rejects(own(second), /master\.key cannot be used: it is missing/);
      assert.deepEqual([await readdir(first), await readdir(second)], [['master.key'], []]);
      openKeys(second);
      await assert.rejects(
        own(second),
        (error) => error instanceof EncryptionKeyError && error.message.includes(second),
      );
    });

    it('reports once a token whose value cannot be opened: it admits nobody and can be refreshed', async () => {
      const faults = new RowFaults();
      const told: string[] = [];
      faults.on('found', (found) => told.push(...found.map(({ row, column }) => `${row} ${column}`)));
      const [mine, theirs] = [storeWith(aKey(), db.withPlugin(faults)), storeWith(aKey())];
      const whole = await mine.create(aTokenRecord({ token: 'a' }));
      const sealed = await theirs.create(aTokenRecord({ token: 'b', label: 'theirs' }));

      assert.equal((await mine.find(sealed.id))?.token, '');
      assert.equal((await mine.findByValue('b'))?.token, '');
      const { tokens } = await mine.list(scope, { page: 1, itemsOnPage: 10, sortBy: 'AddedOn', isDescending: false });
      assert.deepEqual(
        tokens.map(({ token }) => token),
        ['a', ''],
      );
      assert.deepEqual(told, [`${sealed.id} value_sealed`]);
      assert.equal((await mine.find(whole.id))?.token, 'a');

      await mine.update(scope, sealed.id, (present) => ({ ...present, label: 'changed' }));
      assert.equal((await theirs.get(scope, sealed.id))?.token, 'b', 'a change of something else leaves the value');
      await mine.update(scope, sealed.id, (present) => ({ ...present, token: 'c' }));
      assert.equal((await mine.findByValue('c'))?.label, 'changed');
      assert.equal(await mine.delete(scope, sealed.id), true);

      const another = await theirs.create(aTokenRecord({ token: 'd' }));
      assert.equal(await mine.delete(scope, another.id), true);
    });

    it('treats text that is no sealed value as one that cannot be opened', async () => {
      const seal = new ValueSeal(createSecretKey(randomBytes(32)));
      const store = new SqlTokenStore(db, seal);
      const { id } = await store.create(aTokenRecord({ token: 'a' }));
      await db.updateTable('token').set({ value_sealed: '' }).where('id', '=', id).execute();
      assert.equal((await store.get(scope, id))?.token, '');
    });
  });
}
