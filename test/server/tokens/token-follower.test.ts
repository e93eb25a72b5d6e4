import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openDatabase, type Database } from '../../../server/store/database.js';
import { openKeys } from '../../../server/store/key-file.js';
import { SqlAccountStore } from '../../../server/store/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/sql-token-store.js';
import type { TokenChangesListener } from '../../../server/tokens/token-changes.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { TokenFollower } from '../../../server/tokens/token-follower.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { ValueSeal } from '../../../server/tokens/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { aTokenRecord } from '../../support/token.js';

const scope = { accountId: 'acme', kind: 'subscribe' } as const;

describe('TokenFollower', () => {
  const cleanup = new Cleanup();
  let db: Database;
  let store: SqlTokenStore;
  let directory: TokenDirectory;
  let follower: TokenFollower;
  let others: TokenChangesListener;
  let heard: number[];
  let token: TokenRecord;

  beforeEach(async () => {
    const folder = await dataFolder(cleanup);
    db = await openDatabase(folder);
    await new SqlAccountStore(db).create('acme');
    store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
    directory = new TokenDirectory();
    const changes = {
      start: async (listener: TokenChangesListener) => void (others = listener),
      close: async () => {},
    };
    follower = new TokenFollower({ store, directory, changes });
    heard = [];
    follower.on('changed', (id) => heard.push(id));
    token = await store.create(aTokenRecord({ token: 'one' }));
    await follower.start();
    cleanup.after(async () => {
      await follower.close();
      await db.destroy();
    });
  });
  afterEach(() => cleanup.run());

  const disable = (id = token.id) => store.update(scope, id, (present) => ({ ...present, isActive: false }));
  const active = () => directory.findByValue('one')?.isActive;

  it('starts with every token, and nobody has to wait', () => {
    assert.equal(active(), true);
    assert.equal(follower.freshen('one'), undefined);
    assert.deepEqual(heard, []);
  });

  it('takes over a change that it is told of, and says so', async () => {
    await disable();
    others.changed(token.id);
    await until('the change was taken over', () => active() === false);
    assert.deepEqual(heard, [token.id]);
  });

  it('takes over a token that is new, and one that is gone', async () => {
    const { id } = await store.create(aTokenRecord({ token: 'two' }));
    others.changed(id);
    await until('the token was known', () => directory.findByValue('two') !== undefined);
    await store.delete(scope, id);
    others.changed(id);
    await until('the token was forgotten', () => directory.findByValue('two') === undefined);
    assert.deepEqual(heard, [id, id]);
  });

  it('says nothing of what this process has changed by itself', async () => {
    directory.put((await disable())!);
    others.changed(token.id);
    const later = await store.create(aTokenRecord({ token: 'two' }));
    others.changed(later.id);
    await until('a change was told', () => heard.length > 0);
    assert.deepEqual(heard, [later.id]);
  });

  it('finds all that is different when it is not told what', async () => {
    const made = await store.create(aTokenRecord({ token: 'two' }));
    const gone = await store.create(aTokenRecord({ token: 'three' }));
    others.changed(gone.id);
    await until('the token was known', () => directory.findByValue('three') !== undefined);
    await disable();
    await store.delete(scope, gone.id);

    heard.length = 0;
    others.anyChanged();
    await until('three changes were told', () => heard.length === 3);
    assert.deepEqual(heard.toSorted(), [token.id, made.id, gone.id].toSorted());
    assert.deepEqual([active(), directory.size], [false, 2]);
  });

  it('reads through while changes go unheard, until it has compared', async () => {
    others.lost();
    await disable();
    assert.equal(active(), true);
    await follower.freshen('one');
    assert.equal(active(), false);

    await store.create(aTokenRecord({ token: 'two' }));
    await follower.freshen('two');
    assert.equal(directory.findByValue('two')?.isActive, true);
    await follower.freshen('nobody');

    others.anyChanged();
    await until('nobody has to wait', () => follower.freshen('one') === undefined);
  });

  it('notices while changes go unheard that a token is gone', async () => {
    others.lost();
    await store.delete(scope, token.id);
    await follower.freshen('one');
    assert.equal(directory.findByValue('one'), undefined);
    assert.deepEqual(heard, [token.id]);
  });

  it('believes nothing that it cannot read while changes go unheard', async () => {
    others.lost();
    await db.destroy();
    await assert.rejects(async () => await follower.freshen('one'), { status: 503, code: 'database_unavailable' });
  });
});
