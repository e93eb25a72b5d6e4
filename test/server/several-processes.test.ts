import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { signSubscribeToken } from '../../src/management/sign-subscribe-token.js';
import { ManagementClient } from '../../src/management.js';
import { readConfig } from '../../server/config/config.js';
import { FakeEngine } from '../support/media/fake-engine.js';
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/keys/key-file.js';
import { SqlTokenStore } from '../../server/store/tables/sql-token-store.js';
import { createStreamServer, type StreamServer } from '../../server/composition/stream-server.js';
import type { TokenKind, TokenRecord } from '../../server/tokens/token-record.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { query, startPostgres } from '../support/postgres.js';
import { suitePostgres } from '../support/suite-postgres.js';
import { askDirector } from '../support/stream-server.js';
import { aTokenRecord } from '../support/token.js';

interface Node {
  readonly server: StreamServer;
  readonly origin: string;
}

const scope = { accountId: 'main', kind: 'subscribe' } as const;
const fields = { label: '', streams: [{ streamName: 'main', isRegex: false }] };
const key = randomBytes(32).toString('hex');

async function startNode(
  cleanup: Cleanup,
  settings: Readonly<Record<string, string>>,
  log = pino({ level: 'silent' }),
): Promise<Node> {
  const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: await dataFolder(cleanup), ENCRYPTION_KEY: key, ...settings };
  const server = await createStreamServer(readConfig(env), { engine: new FakeEngine(), log });
  cleanup.after(() => server.close());
  await server.accounts.ensureFirstAccount();
  const { port } = await server.listen();
  return { server, origin: `http://127.0.0.1:${port}` };
}

const directorResult = async (node: Node, token: string, call: TokenKind = 'subscribe'): Promise<string> => {
  const { status, body } = await askDirector(node, call, token);
  return status === 200 ? 'ok' : body.data.code;
};

/** The number of each result. */
const countOf = (results: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

const untilResult = (node: Node, token: string, result: string) =>
  until(`the director results ${result}`, async () => (await directorResult(node, token)) === result);

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('a server and another process on one data folder', () => {
  /** The tokens, as the other process has them. */
  const anotherStore = async (folder: string): Promise<SqlTokenStore> => {
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    return new SqlTokenStore(db, new ValueSeal(openKeys(folder, Buffer.from(key, 'hex')).sealKey));
  };

  it('admits at once with a token that the other process has just created', async () => {
    const folder = await dataFolder(cleanup);
    const node = await startNode(cleanup, { DATA_DIR: folder });
    const store = await anotherStore(folder);
    const results: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const token = randomBytes(32).toString('hex');
      await store.create(aTokenRecord({ accountId: 'main', token }));
      results.push(await directorResult(node, token));
    }
    assert.deepEqual(countOf(results), { ok: 20 });
  });

  it('explains at once what the rules say of a token that the other process has just created', async () => {
    const folder = await dataFolder(cleanup);
    const node = await startNode(cleanup, { DATA_DIR: folder });
    const client = new ManagementClient({ endpoint: node.origin, secret: await node.server.secrets.create('main') });
    const store = await anotherStore(folder);
    for (let round = 0; round < 20; round += 1) {
      const token = randomBytes(32).toString('hex');
      const { id } = await store.create(aTokenRecord({ accountId: 'main', token }));
      const { rules } = await client.oversight.explain({ kind: 'subscribe', streamName: 'main', tokenId: id });
      assert.ok(rules.length > 0);
    }
    const unknown = client.oversight.explain({ kind: 'subscribe', streamName: 'main', tokenId: 1_000 });
    await assert.rejects(unknown, { code: 'token_not_found' });
  });

  it('applies a change of the other process', async () => {
    const folder = await dataFolder(cleanup);
    const node = await startNode(cleanup, { DATA_DIR: folder });
    const { id, token } = await node.server.tokens.create(scope, fields);
    const changes: number[] = [];
    node.server.tokens.on('changed', (changed) => changes.push(changed));

    const store = await anotherStore(folder);
    await store.update(scope, id, (present) => ({ ...present, isActive: false }));
    await until('the change is reported', () => changes.length > 0);
    assert.deepEqual(changes, [id]);
    assert.equal(await directorResult(node, token), 'token_disabled');
  });
});

describe('servers on one PostgreSQL', () => {
  const postgres = suitePostgres();

  const two = async () => {
    const settings = { DATABASE_URL: await postgres.migratedDatabase() };
    return { settings, one: await startNode(cleanup, settings), other: await startNode(cleanup, settings) };
  };

  it('apply what another server creates, changes and deletes', async () => {
    const { one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, fields);
    await untilResult(other, token, 'ok');

    const changes: number[] = [];
    other.server.tokens.on('changed', (changed) => changes.push(changed));
    await one.server.tokens.update(scope, id, { isActive: false });
    await untilResult(other, token, 'token_disabled');
    assert.deepEqual(changes, [id]);

    const { token: fresh } = await one.server.tokens.update(scope, id, { isActive: true, refreshToken: true });
    await untilResult(other, fresh, 'ok');
    assert.equal(await directorResult(other, token), 'token_unknown');
    await one.server.tokens.delete(scope, id);
    await untilResult(other, fresh, 'token_unknown');
  });

  it('admit at once with the tokens that another server has just created', async () => {
    const { one, other } = await two();
    const admitted = async (kind: TokenKind, credential: (created: TokenRecord) => string | Promise<string>) => {
      const results: string[] = [];
      const sequence = async () => {
        for (let round = 0; round < 10; round += 1) {
          const created = await one.server.tokens.create({ accountId: 'main', kind }, fields);
          results.push(await directorResult(other, await credential(created), kind));
        }
      };
      await Promise.all(Array.from({ length: 10 }, sequence));
      return countOf(results);
    };
    const signed = ({ id, token }: TokenRecord) =>
      signSubscribeToken({ id, token }, { streamName: 'main', expires: 60 });
    assert.deepEqual(await admitted('publish', ({ token }) => token), { ok: 100 });
    assert.deepEqual(await admitted('subscribe', ({ token }) => token), { ok: 100 });
    assert.deepEqual(await admitted('subscribe', signed), { ok: 100 });
  });

  it('admit at once with the new value of a token that another server has just refreshed, and with tokens signed by it', async () => {
    const { one, other } = await two();
    const { id } = await one.server.tokens.create(scope, fields);
    const results: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const { token } = await one.server.tokens.update(scope, id, { refreshToken: true });
      const signed = await signSubscribeToken({ id, token }, { streamName: 'main', expires: 60 });
      results.push(await directorResult(other, round % 2 ? token : signed));
    }
    assert.deepEqual(countOf(results), { ok: 40 });
  });

  it('start with one key only when several start at once with different keys on an empty database', async () => {
    const settings = { DATABASE_URL: await postgres.newDatabase() };
    const keys = Array.from({ length: 4 }, () => randomBytes(32).toString('hex'));
    const started = await Promise.allSettled(
      keys.map((ENCRYPTION_KEY) => startNode(cleanup, { ...settings, ENCRYPTION_KEY })),
    );
    assert.equal(started.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of started) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.name, 'EncryptionKeyError');
    }
  });

  it('admit with their other tokens when the value of one cannot be opened, and log it once', async () => {
    const settings = { DATABASE_URL: await postgres.newDatabase() };
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const node = await startNode(cleanup, settings, log);
    const db = await openDatabase('', settings.DATABASE_URL);
    cleanup.after(() => db.destroy());
    const otherKeyStore = new SqlTokenStore(db, new ValueSeal(openKeys('', randomBytes(32)).sealKey));
    const broken = await otherKeyStore.create(aTokenRecord({ accountId: 'main', token: 'ef'.repeat(32) }));
    const { token } = await node.server.tokens.create(scope, fields);

    for (let round = 0; round < 3; round += 1) {
      assert.equal(await directorResult(node, broken.token), 'token_unknown');
      assert.equal(await directorResult(node, token), 'ok');
    }
    const faults = lines.filter((line) => line.includes('cannot be decrypted with the key of this server'));
    assert.equal(faults.length, 1);
    const { table, row } = JSON.parse(faults[0]!);
    assert.deepEqual([table, row], ['token', String(broken.id)]);
    assert.ok(!lines.join('').includes(broken.token));
  });

  it('all remove an expired token that one of them deletes', async () => {
    const { one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, { ...fields, expires: 1 });
    const later = await one.server.tokens.create(scope, fields);
    await untilResult(other, token, 'token_expired');
    assert.equal(await one.server.tokens.deleteExpired(Date.now()), 1);
    await untilResult(other, token, 'token_unknown');
    assert.equal(await directorResult(one, token), 'token_unknown');
    assert.equal(await directorResult(other, later.token), 'ok');
    await assert.rejects(other.server.tokens.get(scope, id), { code: 'token_not_found' });
  });

  it('together bind no more addresses than the token allows', async () => {
    const { one, other } = await two();
    const { id } = await one.server.tokens.create(scope, { ...fields, bindIpsOnUsage: 3 });
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? one : other).server.tokens.bindAddress(id, `192.0.2.${index}`),
      ),
    );
    assert.equal(results.filter((binding) => binding === 'bound').length, 3);
    assert.equal((await other.server.tokens.get(scope, id)).boundIps.length, 3);
  });

  it('refuse outdated tokens when the change feed is disconnected, and reconnect', async () => {
    const { settings, one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, fields);
    await untilResult(other, token, 'ok');

    const all = 'pid <> pg_backend_pid() and datname = current_database()';
    await query(settings.DATABASE_URL, `select pg_terminate_backend(pid) from pg_stat_activity where ${all}`);
    // The pool notices only at the next statement that its connections are closed.
    await until('a change was created', () =>
      one.server.tokens.update(scope, id, { isActive: false }).then(
        () => true,
        () => false,
      ),
    );
    await untilResult(other, token, 'token_disabled');
    await one.server.tokens.update(scope, id, { isActive: true });
    await untilResult(other, token, 'ok');
  });

  it('admit no one while the database is down, and recover when it is back', async () => {
    const own = await startPostgres({ durable: true });
    cleanup.after(() => own.stop());
    const node = await startNode(cleanup, { DATABASE_URL: await own.newDatabase() });
    const { id, token } = await node.server.tokens.create(scope, fields);
    assert.equal(await directorResult(node, token), 'ok');

    await own.kill('SIGKILL');
    await untilResult(node, token, 'database_unavailable');
    await own.start();
    await untilResult(node, token, 'ok');
    await node.server.tokens.update(scope, id, { isActive: false });
    assert.equal(await directorResult(node, token), 'token_disabled');
  });
});
