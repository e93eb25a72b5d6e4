import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { runCli } from '../../../../server/cli/run-cli.js';
import { readConfig } from '../../../../server/config/config.js';
import { FakeEngine } from '../../../support/media/fake-engine.js';
import { createStreamServer, type StreamServer } from '../../../../server/composition/stream-server.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { askDirector } from '../../../support/stream-server.js';

describe('the command line, beside a running server', () => {
  const cleanup = new Cleanup();
  let env: Record<string, string>;
  let server: StreamServer;
  let origin: string;

  beforeEach(async () => {
    env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: await dataFolder(cleanup) };
    server = await createStreamServer(readConfig(env), { engine: new FakeEngine(), log: pino({ level: 'silent' }) });
    cleanup.after(() => server.close());
    await server.accounts.ensureFirstAccount();
    origin = `http://127.0.0.1:${(await server.listen()).port}`;
  });
  afterEach(() => cleanup.run());

  const streamgate = async (...argv: string[]) => {
    const output = { stdout: '', stderr: '' };
    const status = await runCli(argv, {
      env,
      stdout: (text) => (output.stdout += text),
      stderr: (text) => (output.stderr += text),
    });
    return { status, ...output };
  };
  const json = async (...argv: string[]) => JSON.parse((await streamgate(...argv, '--json')).stdout);
  const createToken = async (...argv: string[]) => (await json('token', 'create', ...argv)).data;
  /** A server reads the changes of other processes within a quarter of a second. */
  const untilDirectorAnswers = async (token: string, code: string | undefined) =>
    await until(`${code} is the answer`, async () => {
      const { body } = await askDirector({ origin }, 'subscribe', token);
      return body.data.code === code;
    });

  it('lists refused requests that named an unknown account: for the only account, or for the operator', async () => {
    const asked = (streamAccountId: string) =>
      askDirector({ origin }, 'subscribe', undefined, { streamName: 'main', streamAccountId });
    const named = async (...command: string[]) =>
      (await json(...command)).data.refusals.map(({ namedAccount }: { namedAccount: unknown }) => namedAccount);
    await asked('mian');
    await until('it is written', async () => (await named('refusals')).length > 0);
    assert.deepEqual([await named('refusals'), await named('refusals', 'unknown-account')], [['mian'], []]);

    await streamgate('account', 'create', 'acme');
    await asked('nobody');
    await until('it is written', async () => (await named('refusals', 'unknown-account')).length > 0);
    assert.deepEqual(await named('refusals', 'unknown-account', '--stream', 'main'), ['nobody']);
    assert.deepEqual(await named('refusals', '--account', 'acme'), []);
    assert.match((await streamgate('refusals', 'unknown-account')).stdout, /stream_not_live\t.*\tnobody$/);
  });

  it('finds tokens by label or stream, and adds and removes single streams', async () => {
    const { Id } = await createToken('subscribe', '--label', 'guests', '--stream', 'main');
    await createToken('subscribe', '--label', 'other', '--stream', 'b');
    const { data } = await json('token', 'list', 'subscribe', '--name', 'guests');
    assert.deepEqual([data.total, data.tokens[0].Id], [1, Id]);

    await json('token', 'update', String(Id), '--add-stream', 'c', '--add-pattern', 'room-.*');
    const { data: changed } = await json('token', 'update', String(Id), '--remove-stream', 'main');
    assert.deepEqual(changed.streams, [
      { streamName: 'c', isRegex: false },
      { streamName: 'room-.*', isRegex: true },
    ]);
  });

  it('lists an expired token with the time of its expiry', async () => {
    const anHourAgo = () => Date.now() - 3_600_000;
    env = { ...env, DATA_DIR: await dataFolder(cleanup) };
    const past = await createStreamServer(readConfig(env), {
      engine: new FakeEngine(),
      log: pino({ level: 'silent' }),
      now: anHourAgo,
    });
    cleanup.after(() => past.close());
    await past.accounts.ensureFirstAccount();
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const { id, expiresOn } = await past.tokens.create(scope, { label: 'visitor', streams: [], expires: 60 });
    const { stdout } = await streamgate('token', 'list', 'subscribe');
    assert.equal(stdout, `${id}\texpired ${new Date(expiresOn!).toISOString()}\tvisitor\t(no stream)`);
    assert.equal((await json('token', 'list', 'subscribe')).data.tokens[0].isActive, true);
  });

  it('lists the live tokens of the running server', async () => {
    env = { ...env, STREAMGATE_SECRET: await server.secrets.create('main'), STREAMGATE_ENDPOINT: origin };
    assert.deepEqual((await json('token', 'live')).data, { tokenIds: [] });
    assert.deepEqual((await json('token', 'live', '--stream', 'main/keynote')).data, { tokenIds: [] });
  });

  it('creates, changes, disables and deletes a token with effect on the running server', async () => {
    const { Id, Token } = await createToken(
      'subscribe',
      '--label',
      'a',
      '--stream',
      'main',
      '--stream',
      'b',
      '--expires',
      '60',
    );
    await untilDirectorAnswers(Token, undefined);
    const { data } = await json(
      'token',
      'update',
      `${Id}`,
      '--origin',
      'a.example',
      '--expires',
      'never',
      '--label',
      'b',
    );
    assert.deepEqual(
      [data.allowedOrigins, data.expiresOn, data.Label, data.streams.length],
      [['a.example'], null, 'b', 2],
    );
    await untilDirectorAnswers(Token, 'origin_not_allowed');
    assert.deepEqual((await json('token', 'update', `${Id}`, '--origin', '')).data.allowedOrigins, []);
    const disabled = await json('token', 'disable', `${Id}`);
    assert.deepEqual(disabled.data, { successfulTokens: [Id], failedTokens: [] });
    assert.equal((await json('token', 'show', `${Id}`)).data.isActive, false);
    await untilDirectorAnswers(Token, 'token_disabled');
    const fresh = (await json('token', 'refresh', `${Id}`)).data.Token;
    await untilDirectorAnswers(Token, 'token_unknown');
    assert.equal((await json('token', 'show', `${Id}`)).data.Token, fresh);
    assert.deepEqual((await json('token', 'delete', `${Id}`)).data, { id: Id, deleted: true });
    assert.equal((await json('token', 'show', `${Id}`)).data.code, 'token_not_found');
  });

  it('disables tokens of both kinds, and lists those that do not exist', async () => {
    const ids = [
      (await createToken('publish')).Id,
      (await createToken('subscribe')).Id,
      (await createToken('publish')).Id,
    ];
    const { status, stdout } = await streamgate('token', 'disable', '999', ...ids.map(String), '--json');
    const { data, ...answer } = JSON.parse(stdout);
    assert.deepEqual([status, answer.status, data.code], [1, 'fail', 'token_not_found']);
    assert.deepEqual(data.successfulTokens.toSorted(), ids);
    assert.deepEqual(data.failedTokens, [{ tokenId: 999, errorMessage: 'No token with id: 999' }]);
    for (const id of ids) assert.equal((await json('token', 'show', String(id))).data.isActive, false);

    const result = await streamgate('token', 'disable', '999', '998', String(ids[1]));
    assert.deepEqual(result, {
      status: 1,
      stdout: '',
      stderr: `No token with id: 999\nNo token with id: 998\nDisabled: ${ids[1]}`,
    });
    assert.equal((await streamgate('token', 'disable', ...ids.map(String))).status, 0);
    assert.equal((await streamgate('token', 'disable')).status, 2);
    assert.equal((await json('token', 'disable', '1', 'x')).data.code, 'invalid_request');
  });

  it('creates one token if a create is repeated with its idempotency key', async () => {
    const once = ['subscribe', '--label', 'a', '--idempotency-key', 'order-1'];
    assert.equal((await createToken(...once)).Id, (await createToken(...once)).Id);
    assert.equal((await createToken(...once, '--label', 'b')).code, 'idempotency_key_reused');
  });

  it('lists in the requested order', async () => {
    const ids = [];
    for (const label of ['b', 'a']) ids.push((await createToken('publish', '--label', label, '--stream', 'a')).Id);
    const listed = async (...options: string[]) =>
      (await json('token', 'list', 'publish', ...options)).data.tokens.map(({ Id }: { Id: number }) => Id);
    assert.deepEqual(await listed(), ids.toReversed());
    assert.deepEqual(await listed('--sort', 'AddedOn'), ids);
    assert.deepEqual(await listed('--sort', 'AddedOn', '--descending', 'true', '--items', '1'), [ids[1]]);
    assert.deepEqual(await listed('--name', 'a', '--filter', 'TokenName'), [ids[1]]);
    assert.equal((await json('token', 'list', 'publish', '--sort', 'Age')).data.code, 'usage');
  });

  it('writes only the value to stdout', async () => {
    const { stdout, stderr } = await streamgate(
      'token',
      'create',
      'publish',
      '--pattern',
      '.*',
      '--requires-auth',
      'true',
    );
    assert.match(stdout, /^[0-9a-f]{64}$/);
    assert.match(stderr, /^publish token \d+$/);
    const { data } = await json('token', 'list', 'publish');
    assert.deepEqual(
      [data.total, data.tokens[0].streams, data.tokens[0].subscribeRequiresAuth],
      [1, [{ streamName: '.*', isRegex: true }], true],
    );
  });

  it('sets after how many days recordings of a token are deleted', async () => {
    const { stderr } = await streamgate('token', 'create', 'publish', '--pattern', '.*', '--retention-days', '30');
    const [, id] = /token (\d+)/.exec(stderr) ?? [];
    assert.equal((await json('token', 'show', id!)).data.recordingRetentionDays, 30);
    await streamgate('token', 'update', id!, '--retention-days', 'account');
    assert.equal((await json('token', 'show', id!)).data.recordingRetentionDays, null);
  });

  it('warns that a token without a stream permits nothing', async () => {
    for (const kind of ['publish', 'subscribe']) {
      const { status, stderr } = await streamgate('token', 'create', kind, '--label', 'studio');
      assert.equal(status, 0);
      const [, id] = /token (\d+)\n/.exec(stderr) ?? [];
      assert.ok(stderr.includes('permits nothing'), stderr);
      assert.ok(stderr.includes(`streamgate token update ${id} --add-stream NAME`), stderr);
      await streamgate('token', 'update', id!, '--add-stream', 'keynote');
      assert.equal((await json('token', 'show', id!)).data.streams.length, 1);
    }
    assert.match((await streamgate('token', 'create', 'publish', '--pattern', '.*')).stderr, /^publish token \d+$/);
  });

  it('blocks an address on a token and unblocks it, in any spelling', async () => {
    const { Id, Token } = await createToken('subscribe', '--stream', 'main', '--denied-ip', '192.0.2.0/24');
    await untilDirectorAnswers(Token, undefined);
    const blocked = await streamgate('token', 'block', String(Id), '::ffff:127.0.0.1');
    assert.deepEqual(blocked, {
      status: 0,
      stdout: '192.0.2.0/24\n127.0.0.1',
      stderr: `token ${Id} denies 127.0.0.1`,
    });
    await untilDirectorAnswers(Token, 'address_denied');
    const { data } = await json('token', 'unblock', String(Id), '127.0.0.1/32');
    assert.deepEqual(data.deniedIpAddresses, ['192.0.2.0/24']);
    await untilDirectorAnswers(Token, undefined);
    const { stderr } = await streamgate('token', 'unblock', String(Id), '192.0.2.7');
    assert.equal(stderr, `192.0.2.7 was not in the denied addresses of token ${Id}`);
    const emptied = await json('token', 'update', String(Id), '--denied-ip', '');
    assert.deepEqual(emptied.data.deniedIpAddresses, []);
  });

  it('blocks nothing that is no address, and no token that does not exist', async () => {
    const { Id } = await createToken('publish', '--stream', 'main');
    assert.equal((await streamgate('token', 'block', String(Id), '127.1')).status, 2);
    assert.equal((await json('token', 'block', '999', '192.0.2.7')).data.code, 'token_not_found');
    assert.deepEqual((await json('token', 'show', String(Id))).data.deniedIpAddresses, []);
  });

  it('refuses what the API refuses, with the same codes', async () => {
    for (const [code, ...options] of [
      ['invalid_pattern', '--pattern', '('],
      ['invalid_origin', '--origin', '*'],
      ['invalid_address', '--ip', '127.1'],
      ['invalid_address', '--denied-ip', '127.1'],
      ['invalid_request', '--expires', '0'],
      ['invalid_request', '--bind', 'two'],
    ] as const) {
      const answer = await json('token', 'create', 'subscribe', ...options);
      assert.deepEqual([answer.status, answer.data.code], ['fail', code], options.join(' '));
    }
  });

  it('refuses unknown kinds, options and booleans', async () => {
    for (const argv of [
      ['token', 'create', 'view'],
      ['token', 'show', '1', '--label', 'x'],
      ['token', 'create', 'publish', '--requires-auth', 'yes'],
      ['sign', '1', '--stream', 'main'],
      ['sign', '1', '--stream', 'main', '--expires', '0'],
      ['sign', '1', '--stream', 'main', '--expires', '60', '--algorithm', 'none'],
    ]) {
      assert.equal((await streamgate(...argv)).status, 2, argv.join(' '));
    }
  });

  it('signs tokens that the server admits, with subscribe tokens only', async () => {
    const parent = await createToken('subscribe', '--pattern', '.*');
    const { stdout } = await streamgate('sign', `${parent.Id}`, '--stream', 'main', '--expires', '60');
    await untilDirectorAnswers(stdout, undefined);
    const later = ['--not-before', '30', '--algorithm', 'HS512'];
    const early = await json('sign', `${parent.Id}`, '--stream', 'main', '--expires', '60', ...later);
    const [header, claims] = early.data.token
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    assert.deepEqual([header.alg, claims.nbf - claims.iat, claims.exp - claims.iat], ['HS512', 30, 60]);
    const denying = await streamgate(
      'sign',
      `${parent.Id}`,
      '--stream',
      'main',
      '--expires',
      '60',
      '--denied-ip',
      '::/0',
      '--denied-ip',
      '127.0.0.1',
    );
    await untilDirectorAnswers(denying.stdout, 'address_denied');
    const publisher = await createToken('publish', '--stream', 'main');
    const refused = await json('sign', `${publisher.Id}`, '--stream', 'main', '--expires', '60');
    assert.equal(refused.data.code, 'token_wrong_kind');
  });

  it('lists refused requests and changes', async () => {
    const { Id, Token } = await createToken('subscribe', '--stream', 'other');
    await untilDirectorAnswers(Token, 'stream_not_permitted');
    const listed = () => json('refusals', '--token-id', `${Id}`, '--reason', 'stream_not_permitted');
    await until('the refusal is listed', async () => (await listed()).data.total > 0);
    const { data } = await json('audit', '--action', 'token_created');
    assert.deepEqual([data.total, data.entries[0].target.id, data.entries[0].actor.by], [1, `${Id}`, 'cli']);
  });

  it('calls the server for the account of the secret, if there is one', async () => {
    await json('account', 'create', 'other');
    const { secret } = (await json('secret', 'create', '--account', 'other')).data;
    const { Id: theirs } = await createToken('subscribe', '--account', 'main');
    Object.assign(env, { STREAMGATE_SECRET: secret, STREAMGATE_ENDPOINT: origin });
    const folder = env['DATA_DIR']!;
    env['DATA_DIR'] = join(folder, 'not-here');
    const { Id } = await createToken('subscribe', '--label', 'over the API');
    assert.equal((await json('token', 'show', String(theirs))).data.code, 'token_not_found');
    assert.equal((await json('token', 'list', 'subscribe')).data.total, 1);
    const { data } = await json('audit', '--action', 'token_created');
    assert.deepEqual([data.total, data.entries[0].target.id, data.entries[0].actor.by], [1, String(Id), 'secret']);
    assert.equal(existsSync(env['DATA_DIR']), false);
  });

  it('does not guess the account or the server', async () => {
    env['STREAMGATE_ENDPOINT'] = origin;
    assert.equal((await json('token', 'list', 'publish')).data.code, 'secret_missing');
    env['STREAMGATE_SECRET'] = await server.secrets.create('main');
    const both = await streamgate('token', 'list', 'publish', '--account', 'main');
    assert.equal(both.status, 2);
    assert.match(both.stderr, /^--account cannot be used with STREAMGATE_SECRET/);
    env['STREAMGATE_SECRET'] = 'sg_wrong';
    assert.equal((await json('token', 'list', 'publish')).data.code, 'secret_wrong');
  });

  it('reports a wrong key, and reads data that is not sealed without a key', async () => {
    const { Id } = await createToken('subscribe', '--stream', 'main');
    const dataFolder = env['DATA_DIR']!;
    env['ENCRYPTION_KEY'] = 'a'.repeat(64);
    const wrong = await json('token', 'show', String(Id));
    assert.equal(wrong.data.code, 'encryption_key_wrong');
    assert.match(wrong.data.message, /^ENCRYPTION_KEY is not the key/);
    for (const args of [
      ['token', 'list', 'publish'],
      ['token', 'create', 'publish'],
      ['sign', String(Id), '--stream', 'main', '--expires', '60'],
    ]) {
      assert.equal((await json(...args)).data.code, 'encryption_key_wrong', args.join(' '));
    }
    delete env['ENCRYPTION_KEY'];
    await rm(join(dataFolder, 'master.key'));
    assert.equal((await json('token', 'show', String(Id))).data.code, 'data_dir_unusable');
    assert.equal((await json('audit', '--action', 'token_created')).data.total, 1);
    assert.equal((await json('refusals')).data.total, 0);
    assert.equal(existsSync(join(dataFolder, 'master.key')), false);
  });

  it('calls the server for live state', async () => {
    const { Id, Token } = await createToken('subscribe', '--stream', 'main');
    await untilDirectorAnswers(Token, undefined);
    assert.equal((await json('stream', 'stop', 'all')).data.code, 'secret_missing');
    const secret = (await json('secret', 'create')).data.secret;
    Object.assign(env, { STREAMGATE_SECRET: secret, STREAMGATE_ENDPOINT: origin });
    assert.equal((await json('explain', 'subscribe', 'main')).data.reason, 'stream_not_live');
    const { stdout, stderr, status } = await streamgate('explain', 'publish', 'main', '--token-id', `${Id}`);
    assert.deepEqual([status, stderr], [3, '']);
    assert.match(stdout, /NO {2}token-of-kind {2}token_wrong_kind.*\n[^]*refused: token_wrong_kind$/);
    assert.equal((await json('stream', 'stop', 'main/main')).data.stoppingLevel, 'None');
    assert.equal((await json('stream', 'stop', 'all')).data.stoppingLevel, 'None');
    assert.equal((await json('stream', 'stop', 'theirs/main')).data.code, 'stream_not_found');
    env['STREAMGATE_ENDPOINT'] = 'http://127.0.0.1:1';
    const { data } = await json('stream', 'stop', 'all');
    assert.equal(data.code, 'unreachable');
    assert.match(data.message, /^No server answers at http:\/\/127\.0\.0\.1:1\./);
  });

  it('writes a backup while the server runs, and overwrites no file', async () => {
    const file = join(env['DATA_DIR']!, 'backup.db');
    assert.equal((await json('backup', file)).data.file, file);
    assert.equal((await json('backup', file)).data.code, 'backup_failed');
    env['DATABASE_URL'] = 'postgres://127.0.0.1:1/x';
    assert.match((await json('backup', `${file}2`)).data.message, /pg_dump/);
  });

  it('shows the options of a command, with what each means', async () => {
    const { status, stdout } = await streamgate('token', 'create', '--help');
    assert.equal(status, 0);
    assert.match(stdout, /--stream NAME +a stream name .*several times[^]*--expires SECONDS\|never +expires/);
  });
});
