import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { TokenFollower, type TokenChangeListener } from '../../../server/tokens/token-follower.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { putMigratedDatabase } from '../../support/database-template.js';
import { until } from '../../support/media/until.js';
import { aTokenRecord } from '../../support/token.js';

const scope = { accountId: 'acme', kind: 'subscribe' } as const;
const [ONE, TWO, THREE, NOBODY] = ['1', '2', '3', '0'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];

const turns = async () => {
  for (let count = 0; count < 5; count += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

describe('TokenFollower', () => {
  const cleanup = new Cleanup();
  let db: Database;
  let store: SqlTokenStore;
  let directory: TokenDirectory;
  let follower: TokenFollower;
  let others: TokenChangeListener;
  let heard: number[];
  let token: TokenRecord;

  beforeEach(async () => {
    const folder = await dataFolder(cleanup);
    await putMigratedDatabase(folder);
    db = await openDatabase(folder);
    await new SqlAccountStore(db).create('acme');
    store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey));
    directory = new TokenDirectory();
    const changes = {
      start: async (listener: TokenChangeListener) => void (others = listener),
      close: async () => {},
    };
    follower = new TokenFollower({ store, directory, changes });
    token = await store.create(aTokenRecord({ token: ONE }));
    await follower.start();
    heard = [];
    directory.on('changed', (id) => heard.push(id));
    cleanup.after(async () => {
      await follower.close();
      await db.destroy();
    });
  });
  afterEach(() => cleanup.run());

  const disable = (id = token.id) => store.update(scope, id, (present) => ({ ...present, isActive: false }));
  const active = () => directory.findByValue(ONE)?.isActive;

  it('starts with every token, and is in sync', () => {
    assert.equal(active(), true);
    assert.equal(follower.refreshIfStale(ONE), undefined);
    assert.deepEqual(heard, []);
  });

  it('applies a notified change to the directory', async () => {
    await disable();
    others.changed(token.id);
    await until('the change was applied', () => active() === false);
    assert.deepEqual(heard, [token.id]);
  });

  it('applies a notified creation and a notified deletion', async () => {
    const { id } = await store.create(aTokenRecord({ token: TWO }));
    others.changed(id);
    await until('the token was known', () => directory.findByValue(TWO) !== undefined);
    await store.delete(scope, id);
    others.changed(id);
    await until('the token was forgotten', () => directory.findByValue(TWO) === undefined);
    assert.deepEqual(heard, [id, id]);
  });

  it('reports a change of this process once, and not again when it is notified of it', async () => {
    directory.put((await disable())!);
    others.changed(token.id);
    const later = await store.create(aTokenRecord({ token: TWO }));
    others.changed(later.id);
    await until('the later change was reported', () => heard.length > 1);
    assert.deepEqual(heard, [token.id, later.id]);
  });

  it('finds every difference when it is not told which tokens changed', async () => {
    const made = await store.create(aTokenRecord({ token: TWO }));
    const gone = await store.create(aTokenRecord({ token: THREE }));
    others.changed(gone.id);
    await until('the token was known', () => directory.findByValue(THREE) !== undefined);
    await disable();
    await store.delete(scope, gone.id);

    heard.length = 0;
    others.anyChanged();
    await until('three changes were reported', () => heard.length === 3);
    assert.deepEqual(heard.toSorted(), [token.id, made.id, gone.id].toSorted());
    assert.deepEqual([active(), directory.size], [false, 2]);
  });

  it('reads a token from the database that was not notified', async () => {
    await store.create(aTokenRecord({ token: TWO }));
    const made = await store.create(aTokenRecord({ token: THREE }));
    await follower.refreshIfStale(TWO);
    await follower.refreshTokenIfStale(made.id);
    assert.deepEqual([directory.findByValue(TWO)?.isActive, directory.findById(made.id)?.isActive], [true, true]);
    assert.deepEqual(heard, [made.id - 1, made.id]);
    assert.deepEqual([follower.refreshIfStale(TWO), follower.refreshTokenIfStale(made.id)], [undefined, undefined]);
  });

  it('asks the database once for an unknown value, and never for a value of another form', async () => {
    const asked = mock.method(store, 'findByValue');
    await follower.refreshIfStale(NOBODY);
    assert.equal(follower.refreshIfStale(NOBODY), undefined);
    for (const value of ['', 'nobody', NOBODY.slice(1), `${NOBODY}0`, 'G'.repeat(64), 'AB'.repeat(32)]) {
      assert.equal(follower.refreshIfStale(value), undefined, value);
    }
    assert.equal(asked.mock.callCount(), 1);
  });

  it('limits the look-ups of a flood of invented values, and still finds a new token', async () => {
    const asked = mock.method(store, 'findByValue');
    await store.create(aTokenRecord({ token: TWO }));
    const same = await Promise.all(Array.from({ length: 500 }, () => follower.refreshIfStale(TWO)));
    assert.equal(same.length, 500);
    assert.ok(asked.mock.callCount() <= 3, String(asked.mock.callCount()));

    const invented = (index: number) => index.toString(16).padStart(64, '0');
    const answers = await Promise.allSettled(
      Array.from({ length: 2_000 }, (_, index) => follower.refreshIfStale(invented(index))),
    );
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    assert.ok(refused.length > 0 && refused.length < 1_000);
    for (const { status, code, headers } of refused) {
      assert.deepEqual([status, code, headers['retry-after']], [503, 'busy', '2']);
    }
    assert.equal(follower.refreshIfStale(ONE), undefined);
  });

  it('reads the parent of a self-signed token that matches no known parent, once', async () => {
    const asked = mock.method(store, 'find');
    const made = await store.create(aTokenRecord({ token: TWO }));
    await follower.refreshParentOf('a.b.c', made.id);
    assert.equal(directory.findById(made.id)?.token, TWO);
    await follower.refreshParentOf('a.b.d', made.id + 1);
    assert.equal(follower.refreshParentOf('a.b.d', made.id + 1), undefined);
    assert.equal(asked.mock.callCount(), 2);

    const later = await store.create(aTokenRecord({ token: THREE }));
    await follower.refreshParentOf('a.b.e', later.id);
    assert.equal(
      directory.findById(later.id)?.token,
      THREE,
      'a look-up before the token exists does not hide it later',
    );
  });

  it('fails with 503 for an unknown token while the database is unavailable', async () => {
    await db.destroy();
    for (const asked of [() => follower.refreshIfStale(NOBODY), () => follower.refreshTokenIfStale(99)]) {
      await assert.rejects(async () => await asked(), { status: 503, code: 'database_unavailable' });
    }
    await assert.rejects(async () => await follower.refreshIfStale(NOBODY), { code: 'database_unavailable' });
  });

  it('reads from the database while the feed is lost, until it has compared', async () => {
    others.lost();
    await disable();
    assert.equal(active(), true);
    await follower.refreshIfStale(ONE);
    assert.equal(active(), false);

    await store.create(aTokenRecord({ token: TWO }));
    await follower.refreshIfStale(TWO);
    assert.equal(directory.findByValue(TWO)?.isActive, true);
    await follower.refreshIfStale(NOBODY);

    others.anyChanged();
    await until('the directory is in sync', () => follower.refreshIfStale(ONE) === undefined);
  });

  it('compares after a pause when a read fails, also while other reads go on failing', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    cleanup.after(() => mock.timers.reset());
    const find = mock.method(store, 'find', () => Promise.reject(new Error('the database fails')));
    const compared = mock.method(store, 'revisions');
    for (let count = 1; count <= 3; count += 1) {
      others.changed(token.id);
      await turns();
      assert.equal(find.mock.callCount(), count);
      mock.timers.tick(400);
    }
    await turns();
    assert.equal(compared.mock.callCount(), 1);
  });

  it('notices a deleted token while the feed is lost', async () => {
    others.lost();
    await store.delete(scope, token.id);
    await follower.refreshIfStale(ONE);
    assert.equal(directory.findByValue(ONE), undefined);
    assert.deepEqual(heard, [token.id]);
  });

  describe('with more tokens than it reads within two seconds', () => {
    const starting = async () => {
      const publisher = await store.create(aTokenRecord({ kind: 'publish', token: TWO }));
      const fresh = new TokenDirectory();
      let readRest = (): void => {};
      const rest = new Promise<void>((resolve) => (readRest = resolve));
      const slow = {
        find: (id: number) => store.find(id),
        findByValue: (value: string) => store.findByValue(value),
        revisions: () => store.revisions(),
        publishTokens: () => store.publishTokens(),
        async *all() {
          await rest;
          yield* store.all();
        },
      };
      let listener: TokenChangeListener | undefined;
      const changes = { start: async (given: TokenChangeListener) => void (listener = given), close: async () => {} };
      const started = new TokenFollower({ store: slow, directory: fresh, changes });
      mock.timers.enable({ apis: ['setTimeout'] });
      cleanup.after(() => mock.timers.reset());
      const start = started.start();
      while (!fresh.findById(publisher.id)) await turns();
      mock.timers.tick(2_000);
      assert.equal(await start, false);
      return { started, fresh, publisher, readRest, listener: listener! };
    };

    it('starts with those of publishers, finds the others when they are asked for, and has all in the end', async () => {
      const { started, fresh, publisher, readRest } = await starting();
      assert.deepEqual([...fresh.ids()], [publisher.id]);
      await started.refreshIfStale(ONE);
      assert.equal(fresh.findByValue(ONE)?.id, token.id);
      // What is known is read no second time.
      assert.deepEqual([started.refreshIfStale(ONE), started.refreshIfStale(TWO)], [undefined, undefined]);
      const later = await store.create(aTokenRecord({ token: THREE }));
      readRest();
      await started.filled;
      assert.deepEqual([...fresh.ids()].toSorted(), [token.id, publisher.id, later.id].toSorted());
      await started.close();
    });

    it('reads what it knows again as soon as changes go unreported', async () => {
      const { started, fresh, readRest, listener } = await starting();
      await started.refreshIfStale(ONE);
      listener.lost();
      await disable();
      await started.refreshIfStale(ONE);
      assert.equal(fresh.findByValue(ONE)?.isActive, false);
      readRest();
      await started.close();
    });
  });

  it('does not restore a token that is deleted while its batch loads', async () => {
    const fresh = new TokenDirectory();
    let listener: TokenChangeListener | undefined;
    const changes = { start: async (given: TokenChangeListener) => void (listener = given), close: async () => {} };
    const slow = {
      find: (id: number) => store.find(id),
      findByValue: (value: string) => store.findByValue(value),
      revisions: () => store.revisions(),
      publishTokens: () => store.publishTokens(),
      async *all() {
        const batch: TokenRecord[] = [];
        for await (const each of store.all()) batch.push(each);
        await store.delete(scope, token.id);
        listener?.changed(token.id);
        await until('the deletion was applied', () => fresh.wasRemoved(token.id));
        yield* batch;
      },
    };
    const starting = new TokenFollower({ store: slow, directory: fresh, changes });
    await starting.start();
    assert.equal(fresh.size, 0);
    await starting.close();
  });

  it('does not restore a token that a comparison found deleted after it was read', async () => {
    others.lost();
    const made = await store.create(aTokenRecord({ token: TWO }));
    let answer = (_found: TokenRecord): void => {};
    mock
      .method(store, 'find')
      .mock.mockImplementationOnce(() => new Promise<TokenRecord>((resolve) => (answer = resolve)));
    const asked = follower.refreshTokenIfStale(made.id);
    await store.delete(scope, made.id);
    others.anyChanged();
    await until('the directory is in sync', () => follower.refreshIfStale(ONE) === undefined);
    answer(made);
    await asked;
    assert.equal(directory.findById(made.id), undefined);
  });

  it('fails with 503 for a known token while the feed is lost and the database is unavailable', async () => {
    others.lost();
    await db.destroy();
    await assert.rejects(async () => await follower.refreshIfStale(ONE), { status: 503, code: 'database_unavailable' });
  });
});
