import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { CallLimiter } from '../../../../server/accounts/limits/call-limiter.js';
import { AccountSessions } from '../../../../server/admission/account-sessions.js';
import { ApiError } from '../../../../server/errors.js';
import { ManagementClient, ManagementError } from '../../../../src/management.js';
import { Cleanup } from '../../../support/cleanup.js';
import { refusalOf, whep, whip } from '../../../support/ingest-client.js';
import { until } from '../../../support/media/until.js';
import { runStreamgate } from '../../../support/run-streamgate.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

/** How soon a server knows what the operator changes. */
const KNOWN_WITHIN_MS = 5_000;

describe('an account with limits', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let client: ManagementClient;
  const { publish, view, resume } = websocketSessions(() => app);

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    app = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: app.origin, secret: await app.server.secrets.create('main') });
  });
  afterEach(async () => {
    await cleanup.run();
    mock.timers.reset();
  });

  const streamgate = (...argv: string[]) => runStreamgate({ DATA_DIR: app.dataDir }, 'account', 'limits', ...argv);
  /** A tick has no effect while the server still reads because of the one before. */
  const untilKnown = (isKnown: () => boolean | Promise<boolean>) =>
    until('the server knows it', () => {
      mock.timers.tick(KNOWN_WITHIN_MS);
      return isKnown();
    });
  /** As an operator does. */
  const limitSessions = async (most: number | 'off') => {
    const { status, stderr } = await streamgate('--max-sessions', String(most));
    assert.equal(status, 0, stderr);
    const wanted = most === 'off' ? null : most;
    await untilKnown(async () => (await client.limits.get()).maxSessions === wanted);
  };
  const subscribe = async () => await askDirector(app, 'subscribe', await app.token('subscribe'));

  it('has as many sessions as it may, and its callers are refused one more by every protocol', async () => {
    await publish();
    await view();
    await limitSessions(2);
    const { status, headers, body } = await subscribe();
    assert.deepEqual([status, body.data.code], [409, 'account_full']);
    assert.match(headers.get('retry-after')!, /^\d+$/);
    const token = await app.token('publish', { streams: [{ streamName: 'other', isRegex: false }] });
    assert.deepEqual(refusalOf(await whip(app, { token }, 'other')).slice(0, 2), [409, 'account_full']);
    const viewing = await app.token('subscribe');
    assert.deepEqual(refusalOf(await whep(app, { token: viewing })).slice(0, 2), [409, 'account_full']);
    assert.deepEqual((await client.limits.get()).sessions, 2);
  });

  it('has room again when somebody leaves, or the limit is raised or removed', async () => {
    const { viewer } = await view();
    await limitSessions(1);
    assert.equal((await subscribe()).status, 409);
    await limitSessions(2);
    assert.equal((await subscribe()).status, 200);
    await limitSessions(1);
    await viewer.command('unview');
    assert.equal((await subscribe()).status, 200);
    await view();
    await limitSessions('off');
    assert.equal((await subscribe()).status, 200);
  });

  it('keeps its open sessions when the limit is lowered, and lets those come back that were lost', async () => {
    const { viewer, answer } = await view();
    const { publisher, answer: published } = await publish();
    await limitSessions(0);
    assert.equal((await subscribe()).status, 409);
    assert.equal(viewer.socket.readyState, viewer.socket.OPEN);
    assert.equal(publisher.socket.readyState, publisher.socket.OPEN);
    await limitSessions(2);
    const resumed = await resume('sub', answer.resumeToken);
    assert.equal(resumed.socket.readyState, resumed.socket.OPEN);
    const body = { streamName: 'main', sessionKey: published.sessionKey };
    const again = await askDirector(app, 'publish', await app.token('publish'), body);
    assert.notEqual(again.body.data.code, 'stream_in_use');
  });

  it('does not take the room of another account', async () => {
    await app.server.accounts.create('other');
    const { status, stderr } = await streamgate('--account', 'other', '--max-sessions', '0');
    assert.equal(status, 0, stderr);
    assert.equal((await subscribe()).status, 200);
  });

  it('is refused calls of its programs with 429 and the time to wait, and not those of the dashboard', async () => {
    assert.equal((await streamgate('--max-calls', '3')).status, 0);
    await untilKnown(async () => {
      app.clock.now += 60_000;
      return (await client.limits.get()).maxCalls === 3;
    });
    app.clock.now += 60_000;
    for (let call = 0; call < 3; call += 1) await client.limits.get();
    await assert.rejects(client.limits.get(), (error: unknown) => {
      assert.ok(error instanceof ManagementError);
      return error.status === 429 && error.code === 'too_many_calls';
    });
    const code = await app.server.dashboard.createCode('main');
    const login = await fetch(`${app.origin}/api/dashboard/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    assert.equal((await fetch(`${app.origin}/api/account/limits`, { headers: { cookie } })).status, 200);
    app.clock.now += 60_000;
    assert.equal((await client.limits.get()).maxCalls, 3);
  });

  it('has its publishers warned and ended who send far more than they may, as soon as the server knows the limit', async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    assert.equal((await streamgate('--max-publish-kbps', '4000')).status, 0);
    await untilKnown(() => [...app.engine.toldBitrates.values()].includes(3_736_000));
    const sends = (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) app.engine.reportBitrate('main/main', null, 8_000_000);
    };
    sends(3);
    assert.deepEqual((await client.streams.live())[0]?.sources[0]?.notices, ['bitrate_above_limit']);
    sends(9);
    assert.equal((await publisher.event('stopped')).data.code, 'bitrate_too_high');
    assert.deepEqual(await publisher.closed, { code: 4013, reason: 'bitrate_too_high' });
  });

  it('is shown and changed on the command line, which refuses what is no number', async () => {
    assert.deepEqual(JSON.parse((await streamgate('--max-sessions', '5', '--json')).stdout).data, {
      maxSessions: 5,
      maxCalls: null,
      maxPublishBitrate: null,
    });
    const { stdout } = await streamgate('--max-publish-kbps', '4000');
    assert.equal(stdout, 'sessions\t5\ncalls per minute\tno limit\nkbit/s of a broadcaster\t4000\n');
    await untilKnown(async () => (await client.limits.get()).maxPublishBitrate === 4_000_000);
    assert.equal((await client.limits.get()).publishBitrateControl, 'enforced');
    for (const wrong of ['-1', '1.5', 'many', '1000001', '']) {
      assert.equal((await streamgate(`--max-sessions=${wrong}`)).status, 2, wrong);
    }
    for (const wrong of ['0', '99', '1000001', '4M']) {
      assert.equal((await streamgate(`--max-publish-kbps=${wrong}`)).status, 2, wrong);
    }
    assert.match((await streamgate('--max-publish-kbps', 'off')).stdout, /a broadcaster\tno limit\n$/);
    assert.match((await streamgate('--max-sessions', 'off')).stdout, /^sessions\tno limit\n/);
  });
});

describe('the sessions of accounts', () => {
  const grantOf = (sessionId: string, accountId: string) => ({ grant: { sessionId, accountId } });

  it('are those that opened and did not end, without those that a new one replaces', () => {
    const step = fc.record({
      event: fc.constantFrom('opened', 'leaving', 'staying', 'ended'),
      id: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const listeners = new Map<string, (session: ReturnType<typeof grantOf>) => void>();
        const accounts = new AccountSessions({ maxOf: () => 100, elsewhere: () => 0 });
        accounts.follow({ on: (event, listener) => listeners.set(event, listener) });
        const [open, leaving] = [new Set<number>(), new Set<number>()];
        for (const { event, id } of steps) {
          const [isOpen, isLeaving] = [open.has(id), leaving.has(id)];
          // What can happen: a session that leaves ends later, or stays.
          if (isOpen ? event === 'opened' || event === 'staying' : event !== 'opened' && !isLeaving) continue;
          if (isLeaving && (event === 'opened' || event === 'leaving')) continue;
          if (event === 'opened' || event === 'staying') open.add(id);
          else open.delete(id);
          if (event === 'leaving') leaving.add(id);
          else leaving.delete(id);
          listeners.get(event)!(grantOf(`s${id}`, id < 5 ? 'acme' : 'other'));
        }
        const ofAcme = [...open].filter((id) => id < 5);
        assert.equal(accounts.total('acme'), ofAcme.length);
        const replaces = ['s1', 's7', null];
        assert.equal(accounts.roomFor('acme', replaces).sessions, ofAcme.length - (open.has(1) ? 1 : 0));
      }),
    );
  });

  it('on other servers count too', () => {
    const accounts = new AccountSessions({ maxOf: () => 3, elsewhere: (id) => (id === 'acme' ? 2 : 0) });
    assert.deepEqual(accounts.roomFor('acme', []), { maxSessions: 3, sessions: 2 });
    assert.deepEqual(accounts.roomFor('other', []), { maxSessions: 3, sessions: 0 });
  });
});

describe('the limit of calls', () => {
  it('never lets more through in a period than it says, nor fewer while there is room', () => {
    const call = fc.record({ after: fc.integer({ min: 0, max: 20_000 }), account: fc.constantFrom('acme', 'other') });
    fc.assert(
      fc.property(fc.array(call), fc.integer({ min: 0, max: 5 }), (calls, limit) => {
        let now = 0;
        const limiter = new CallLimiter(
          (account) => (account === 'acme' ? limit : null),
          () => now,
        );
        let period = 0;
        let passed = 0;
        for (const { after, account } of calls) {
          now += after;
          const isRefused = refuses(limiter, account);
          if (account === 'other') {
            assert.equal(isRefused, false);
            continue;
          }
          if (now >= period) [period, passed] = [now + 60_000, 0];
          assert.equal(isRefused, passed >= limit);
          if (!isRefused) passed += 1;
        }
      }),
    );
  });
});

function refuses(limiter: CallLimiter, account: string): boolean {
  try {
    limiter.count(account);
    return false;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code], [429, 'too_many_calls']);
    assert.match(error.headers['retry-after']!, /^[1-9]\d?$/);
    return true;
  }
}
