import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { signSubscribeToken } from '../../src/management/sign-subscribe-token.js';
import { readConfig } from '../../server/config/config.js';
import { FakeEngine } from '../support/media/fake-engine.js';
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/keys/key-file.js';
import { SqlTokenStore } from '../../server/store/tables/sql-token-store.js';
import { createStreamServer, type StreamServer } from '../../server/stream-server.js';
import type { TokenKind, TokenRecord } from '../../server/tokens/token-record.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { query, startPostgres, type TestPostgres } from '../support/postgres.js';
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
  place: Readonly<Record<string, string>>,
  log = pino({ level: 'silent' }),
): Promise<Node> {
  const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: await dataFolder(cleanup), ENCRYPTION_KEY: key, ...place };
  const server = await createStreamServer(readConfig(env), { engine: new FakeEngine(), log });
  cleanup.after(() => server.close());
  await server.accounts.ensureFirstAccount();
  const { port } = await server.listen();
  return { server, origin: `http://127.0.0.1:${port}` };
}

const answerTo = async (node: Node, token: string, call: TokenKind = 'subscribe'): Promise<string> => {
  const { status, body } = await askDirector(node, call, token);
  return status === 200 ? 'ok' : body.data.code;
};

/** How often each answer was given. */
const counted = (answers: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
};

const untilAnswered = (node: Node, token: string, answer: string) =>
  until(`the director answered ${answer}`, async () => (await answerTo(node, token)) === answer);

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('a server and another process on one data folder', () => {
  it('admits at once by a token that the other has just made', async () => {
    const folder = await dataFolder(cleanup);
    const node = await startNode(cleanup, { DATA_DIR: folder });
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder, Buffer.from(key, 'hex')).sealKey));
    const answers: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const token = randomBytes(32).toString('hex');
      await store.create(aTokenRecord({ accountId: 'main', token }));
      answers.push(await answerTo(node, token));
    }
    assert.deepEqual(counted(answers), { ok: 20 });
  });

  it('knows within a second what the other changes', async () => {
    const folder = await dataFolder(cleanup);
    const node = await startNode(cleanup, { DATA_DIR: folder });
    const { id, token } = await node.server.tokens.create(scope, fields);
    const heard: number[] = [];
    node.server.tokens.on('changed', (changed) => heard.push(changed));

    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder, Buffer.from(key, 'hex')).sealKey));
    await store.update(scope, id, (present) => ({ ...present, isActive: false }));
    await until('the change was told', () => heard.length > 0, 1_000);
    assert.deepEqual(heard, [id]);
    assert.equal(await answerTo(node, token), 'token_disabled');
  });
});

describe('servers on one PostgreSQL', () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  const two = async () => {
    const place = { DATABASE_URL: await postgres.newDatabase() };
    return { place, one: await startNode(cleanup, place), other: await startNode(cleanup, place) };
  };

  it('know within a second the tokens that another makes, changes and deletes', async () => {
    const { one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, fields);
    await untilAnswered(other, token, 'ok');

    const heard: number[] = [];
    other.server.tokens.on('changed', (changed) => heard.push(changed));
    const started = performance.now();
    await one.server.tokens.update(scope, id, { isActive: false });
    await untilAnswered(other, token, 'token_disabled');
    assert.ok(performance.now() - started < 1_000);
    assert.deepEqual(heard, [id]);

    const { token: fresh } = await one.server.tokens.update(scope, id, { isActive: true, refreshToken: true });
    await untilAnswered(other, fresh, 'ok');
    assert.equal(await answerTo(other, token), 'token_unknown');
    await one.server.tokens.delete(scope, id);
    await untilAnswered(other, fresh, 'token_unknown');
  });

  it('admit at once by the tokens that another has just made, 1,000 times for each kind', async () => {
    const { one, other } = await two();
    const admitted = async (kind: TokenKind, credential: (made: TokenRecord) => string | Promise<string>) => {
      const answers: string[] = [];
      const inTurn = async () => {
        for (let round = 0; round < 100; round += 1) {
          const made = await one.server.tokens.create({ accountId: 'main', kind }, fields);
          answers.push(await answerTo(other, await credential(made), kind));
        }
      };
      await Promise.all(Array.from({ length: 10 }, inTurn));
      return counted(answers);
    };
    const signed = ({ id, token }: TokenRecord) =>
      signSubscribeToken({ id, token }, { streamName: 'main', expires: 60 });
    assert.deepEqual(await admitted('publish', ({ token }) => token), { ok: 1_000 });
    assert.deepEqual(await admitted('subscribe', ({ token }) => token), { ok: 1_000 });
    assert.deepEqual(await admitted('subscribe', signed), { ok: 1_000 });
  });

  it('admit at once by the new value of a token that another has just refreshed, and by what it signs', async () => {
    const { one, other } = await two();
    const { id } = await one.server.tokens.create(scope, fields);
    const answers: string[] = [];
    for (let round = 0; round < 200; round += 1) {
      const { token } = await one.server.tokens.update(scope, id, { refreshToken: true });
      const signed = await signSubscribeToken({ id, token }, { streamName: 'main', expires: 60 });
      answers.push(await answerTo(other, round % 2 ? token : signed));
    }
    assert.deepEqual(counted(answers), { ok: 200 });
  });

  it('start with one key only, however many start at once on an empty database', async () => {
    const place = { DATABASE_URL: await postgres.newDatabase() };
    const keys = Array.from({ length: 4 }, () => randomBytes(32).toString('hex'));
    const started = await Promise.allSettled(
      keys.map((ENCRYPTION_KEY) => startNode(cleanup, { ...place, ENCRYPTION_KEY })),
    );
    assert.equal(started.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of started) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.name, 'EncryptionKeyError');
    }
  });

  it('admit by their other tokens when one does not open, and log that one once with what to do', async () => {
    const place = { DATABASE_URL: await postgres.newDatabase() };
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const node = await startNode(cleanup, place, log);
    const db = await openDatabase('', place.DATABASE_URL);
    cleanup.after(() => db.destroy());
    const theirs = new SqlTokenStore(db, new ValueSeal(openKeys('', randomBytes(32)).sealKey));
    const broken = await theirs.create(aTokenRecord({ accountId: 'main', token: 'ef'.repeat(32) }));
    const { token } = await node.server.tokens.create(scope, fields);

    for (let round = 0; round < 3; round += 1) {
      assert.equal(await answerTo(node, broken.token), 'token_unknown');
      assert.equal(await answerTo(node, token), 'ok');
    }
    const told = lines.filter((line) => line.includes('cannot be opened'));
    assert.equal(told.length, 1);
    assert.equal(JSON.parse(told[0]!).tokenId, broken.id);
    assert.ok(!lines.join('').includes(broken.token));
  });

  it('all forget a token that one deletes because it expired long ago', async () => {
    const { one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, { ...fields, expires: 1 });
    const later = await one.server.tokens.create(scope, fields);
    await untilAnswered(other, token, 'token_expired');
    assert.equal(await one.server.tokens.deleteExpired(Date.now()), 1);
    await untilAnswered(other, token, 'token_unknown');
    assert.equal(await answerTo(one, token), 'token_unknown');
    assert.equal(await answerTo(other, later.token), 'ok');
    await assert.rejects(other.server.tokens.get(scope, id), { code: 'token_not_found' });
  });

  it('bind no more addresses together than there are places', async () => {
    const { one, other } = await two();
    const { id } = await one.server.tokens.create(scope, { ...fields, bindIpsOnUsage: 3 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? one : other).server.tokens.bindAddress(id, `192.0.2.${index}`),
      ),
    );
    assert.equal(answers.filter((binding) => binding === 'bound').length, 3);
    assert.equal((await other.server.tokens.get(scope, id)).boundIps.length, 3);
  });

  it('believe nothing old when the channel between them breaks, and follow again', async () => {
    const { place, one, other } = await two();
    const { id, token } = await one.server.tokens.create(scope, fields);
    await untilAnswered(other, token, 'ok');

    const all = 'pid <> pg_backend_pid() and datname = current_database()';
    await query(place.DATABASE_URL, `select pg_terminate_backend(pid) from pg_stat_activity where ${all}`);
    // The pool has yet to notice that its connections are gone.
    await until('a change was made', () =>
      one.server.tokens.update(scope, id, { isActive: false }).then(
        () => true,
        () => false,
      ),
    );
    await untilAnswered(other, token, 'token_disabled');
    await one.server.tokens.update(scope, id, { isActive: true });
    await untilAnswered(other, token, 'ok');
  });

  it('admit nobody on old knowledge while it is dead, and go on when it is back', async () => {
    const own = await startPostgres({ durable: true });
    cleanup.after(() => own.stop());
    const node = await startNode(cleanup, { DATABASE_URL: await own.newDatabase() });
    const { id, token } = await node.server.tokens.create(scope, fields);
    assert.equal(await answerTo(node, token), 'ok');

    await own.kill('SIGKILL');
    await untilAnswered(node, token, 'database_unavailable');
    await own.start();
    await untilAnswered(node, token, 'ok');
    await node.server.tokens.update(scope, id, { isActive: false });
    assert.equal(await answerTo(node, token), 'token_disabled');
  });
});
