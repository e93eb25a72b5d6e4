import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode } from '../../../support/cluster.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { until } from '../../../support/media/until.js';
import { query } from '../../../support/postgres.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { runStreamgate } from '../../../support/run-streamgate.js';
import {
  askDirector,
  openSocket,
  refusedUpgrade,
  type DirectorAnswer,
  type TestClient,
  type TestServer,
} from '../../../support/stream-server.js';
import { publishing, viewing, websocketSessions } from '../../../support/websocket-sessions.js';

const MINUTES = 60_000;
/** Each server asks the database for the time: the answer is as old as its way is long. */
const CLOCK_ERROR_MS = 1_000;
const stream = 'main/main';
const call = { streamName: 'main', streamAccountId: 'main' };

describe('two servers on one PostgreSQL', () => {
  const cleanup = new Cleanup();
  const servers = new Cleanup();
  const postgres = suitePostgres();
  let pair: Pick<Awaited<ReturnType<typeof two>>, 'a' | 'b'>;
  let sharedSecret: Promise<string> | undefined;
  const sockets: TestClient[] = [];
  before(async () => {
    pair = await two({}, servers);
  });
  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
    const token = await pair.a.token('publish');
    for (const node of [pair.a, pair.b]) {
      const isFree = async () => (await askDirector(node, 'publish', token, call)).status === 200;
      await until('the next test finds the name free', isFree);
    }
    await cleanup.run();
  });
  after(() => servers.run());

  const opens = async (answer: DirectorAnswer) => {
    const client = await openSocket(answer);
    sockets.push(client);
    return client;
  };
  /** As `websocketSessions`, until the test ends. */
  const clients = (node: TestServer) => {
    const { openPublisher, openViewer, publish, view } = websocketSessions(() => node);
    const kept = <Client extends TestClient>(client: Client): Client => {
      sockets.push(client);
      return client;
    };
    return {
      openPublisher: async (...args: Parameters<typeof openPublisher>) => kept(await openPublisher(...args)),
      openViewer: async (...args: Parameters<typeof openViewer>) => kept(await openViewer(...args)),
      async publish(...args: Parameters<typeof publish>) {
        const started = await publish(...args);
        kept(started.publisher);
        return started;
      },
      async view(...args: Parameters<typeof view>) {
        const started = await view(...args);
        kept(started.viewer);
        return started;
      },
    };
  };

  /** The servers that most tests share, with tokens of this test. */
  const shared = async () => {
    const tokens = { publish: await pair.a.token('publish'), subscribe: await pair.a.token('subscribe') };
    return { ...pair, tokens };
  };
  const two = async (other: Parameters<typeof clusterNode>[2] = {}, owner = cleanup) => {
    const databaseUrl = await postgres.migratedDatabase();
    const a = await clusterNode(owner, databaseUrl);
    const b = await clusterNode(owner, databaseUrl, other);
    const tokens = { publish: await a.token('publish'), subscribe: await a.token('subscribe') };
    return { databaseUrl, a, b, tokens };
  };
  const publishOn = async (node: TestServer, token: string, data: object = {}) => {
    const started = await clients(node).publish(data, {}, token);
    node.engine.sendFrame(stream);
    return started;
  };
  const isLiveOn = (node: TestServer, token: string) =>
    until('the other server knows the stream', async () => {
      const { body } = await askDirector(node, 'subscribe', token, call);
      return body.status === 'success' && !body.data.urls[0].includes(String(node.port));
    });
  const secretOf = (node: TestServer): Promise<string> => {
    const create = () => node.server.secrets.create('main');
    return node === pair.a || node === pair.b ? (sharedSecret ??= create()) : create();
  };
  const management = async (...nodes: TestServer[]) => {
    const secret = await secretOf(nodes[0]!);
    return nodes.map((node) => async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const response = await fetch(node.origin + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return JSON.parse(await response.text());
    });
  };

  it('send viewers to the server that has the stream, and let in there with the grant of the other', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const answer = await askDirector(b, 'subscribe', tokens.subscribe, call);
    assert.ok(answer.body.data.urls[0].startsWith(`ws://127.0.0.1:${a.port}/`));
    const viewer = await opens(answer);
    assert.equal((await viewer.command('view', viewing)).type, 'response');
    assert.deepEqual((await viewer.event('active')).data.streamId, stream);
  });

  it('do not start the session of an offer for a stream of the other server', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const view = { ...viewing, events: ['active'] };
    const { status, body } = await askDirector(b, 'subscribe', tokens.subscribe, { ...call, view });
    assert.deepEqual([status, body.data.view], [200, undefined]);
    assert.deepEqual(b.engine.viewerIds(stream), []);
  });

  it('refuse a grant of the other server, and say to ask the director again', async () => {
    const { a, b, tokens } = await shared();
    const { body } = await askDirector(a, 'subscribe', tokens.subscribe, call);
    const url = `${body.data.urls[0].replace(String(a.port), String(b.port))}?token=${body.data.jwt}`;
    const refusal = await refusedUpgrade(url);
    assert.deepEqual([refusal.status, refusal.body.data.code], [401, 'wrong_node']);
    assert.match(refusal.body.data.message, /ask the director again/);
  });

  it('refuse a resume token of the other server', async () => {
    const { a, b, tokens } = await shared();
    const { answer } = await clients(a).view({}, tokens.subscribe);
    const refusal = await refusedUpgrade(
      `ws://127.0.0.1:${b.port}/ws/v2/sub/${'0'.repeat(32)}?token=${answer.resumeToken}`,
    );
    assert.deepEqual([refusal.status, refusal.body.data.code], [401, 'wrong_node']);
  });

  it('refuse a publisher whose name the other server has', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const { status, body } = await askDirector(b, 'publish', tokens.publish, call);
    assert.deepEqual([status, body.data.code], [409, 'stream_in_use']);
  });

  it('send a publisher who resumes to the server that keeps the source, whose session the publisher replaces', async () => {
    const { a, b, tokens } = await shared();
    const { publisher, answer } = await publishOn(a, tokens.publish, { resumable: true });
    await isLiveOn(b, tokens.subscribe);
    publisher.socket.terminate();
    const again = await askDirector(b, 'publish', tokens.publish, { ...call, sessionKey: answer.sessionKey });
    assert.ok(again.body.data.urls[0].startsWith(`ws://127.0.0.1:${a.port}/`));
    const resumed = await opens(again);
    const { type } = await resumed.command('publish', { ...publishing, resumable: true });
    assert.equal(type, 'response');
  });

  it('send a publisher of another source to the server that has the stream', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const { body } = await askDirector(b, 'publish', tokens.publish, { ...call, sourceId: 'cam1' });
    assert.ok(body.data.urls[0].startsWith(`ws://127.0.0.1:${a.port}/`));
  });

  it('give a name to one of two publishers that both got a grant, and tell the other', async () => {
    const { a, b, tokens } = await shared();
    const sessions = [a, b].map((node) => clients(node));
    const sockets = await Promise.all(sessions.map((each) => each.openPublisher({}, tokens.publish)));
    const answers = await Promise.all(sockets.map((socket) => socket.command('publish', publishing)));
    assert.deepEqual(answers.map(({ type }) => type).toSorted(), ['error', 'response']);
    assert.equal(answers.find(({ type }) => type === 'error')?.code, 'stream_in_use');
  });

  it('give two sources of a stream to one server only', async () => {
    const { a, b, tokens } = await shared();
    const sockets = await Promise.all(
      [a, b].map((node, index) => clients(node).openPublisher({ sourceId: `cam${index}` }, tokens.publish)),
    );
    const answers = await Promise.all(
      sockets.map((socket, index) => socket.command('publish', { ...publishing, sourceId: `cam${index}` })),
    );
    assert.deepEqual(answers.map(({ type }) => type).toSorted(), ['error', 'response']);
    assert.equal(answers.find(({ type }) => type === 'error')?.code, 'wrong_node');
  });

  it('have the name again as soon as the publisher has stopped', async () => {
    const { a, b, tokens } = await shared();
    const { publisher } = await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    await publisher.command('unpublish');
    await until('the name is free', async () => (await askDirector(b, 'publish', tokens.publish, call)).status === 200);
    await publishOn(b, tokens.publish);
  });

  it('tell viewers who wait on the other server to move', async () => {
    const { a, b, tokens } = await shared();
    const { viewer } = await clients(b).view({ events: ['migrate', 'active'] }, tokens.subscribe);
    await publishOn(a, tokens.publish);
    assert.equal((await viewer.event('migrate')).data.streamId, stream);
  });

  it('redirect WHIP and WHEP to the server that has the stream, and keep path and query', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const post = (path: string, token: string) =>
      fetch(b.origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
        body: sdpOffer(),
      });
    const whep = await post('/api/whep/main/main?sourceId=cam1', tokens.subscribe);
    assert.deepEqual(
      [whep.status, whep.headers.get('location')],
      [307, `${a.origin}/api/whep/main/main?sourceId=cam1`],
    );
    const whip = await post('/api/whip/main?sourceId=cam2', tokens.publish);
    assert.deepEqual([whip.status, whip.headers.get('location')], [307, `${a.origin}/api/whip/main?sourceId=cam2`]);
    assert.equal((await post('/api/whip/main', tokens.subscribe)).status, 401);
  });

  it('stop a stream of the other server', async () => {
    const { a, b, tokens } = await shared();
    const { publisher } = await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    const [manage] = await management(b);
    assert.deepEqual((await manage!('POST', '/api/stream/stop', { streamId: stream })).data, {
      stoppingLevel: 'Stream',
    });
    assert.equal((await publisher.closed).code, 4004);
    await until('nothing is left to stop', async () => {
      return (await manage!('POST', '/api/stream/stop/all')).data.stoppingLevel === 'None';
    });
  });

  it('show what streams of the other server are doing', async () => {
    const { a, b, tokens } = await shared();
    await publishOn(a, tokens.publish);
    await clients(a).view({}, tokens.subscribe);
    const [onA, onB] = await management(a, b);
    await until(
      'the other server shows the viewer',
      async () => (await onB!('GET', '/api/live')).data[0]?.viewers === 1,
    );
    const [shown, own] = [(await onB!('GET', '/api/live')).data[0], (await onA!('GET', '/api/live')).data[0]];
    assert.deepEqual(Object.keys(shown), Object.keys(own));
    assert.deepEqual([shown.streamName, shown.sources.length, shown.liveSince], ['main', 1, own.liveSince]);
  });

  it('end sessions when the other server changes their token', async () => {
    const { a, b } = await shared();
    const { id, token } = await a.server.tokens.create(
      { accountId: 'main', kind: 'subscribe' },
      { label: '', streams: [{ streamName: 'main', isRegex: false }] },
    );
    const { viewer } = await clients(b).view({}, token);
    await a.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
    assert.equal((await viewer.closed).code, 4010);
  });

  it('count the viewers of a token on both servers', async () => {
    const { a, b } = await shared();
    const limited = await a.token('subscribe', { maxSessions: 1 });
    const { viewer } = await clients(a).view({}, limited);
    await until('the other server refuses', async () => {
      return (await askDirector(b, 'subscribe', limited, call)).body.data.code === 'token_full';
    });
    viewer.socket.close();
    await until('there is room', async () => (await askDirector(b, 'subscribe', limited, call)).status === 200);
  });

  it('count the sessions of an account that has a limit on both servers', async () => {
    const { databaseUrl, a, b } = await two();
    const { viewer } = await clients(a).view();
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: a.dataDir };
    assert.equal((await runStreamgate(env, 'account', 'limits', '--max-sessions', '1')).status, 0);
    const token = await b.token('subscribe');
    await until('the other server refuses', async () => {
      return (await askDirector(b, 'subscribe', token, call)).body.data.code === 'account_full';
    });
    viewer.socket.close();
    await until('there is room', async () => (await askDirector(b, 'subscribe', token, call)).status === 200);
  });

  it('end the newer of two viewings that took the last place of a token on both servers', async () => {
    const { a, b } = await shared();
    const openBoth = async () => {
      const limited = await a.token('subscribe', { maxSessions: 1 });
      return Promise.allSettled([a, b].map((node) => clients(node).openViewer(limited)));
    };
    let opened = await openBoth();
    // A server that knows already of the viewing on the other refuses: then nobody took the place twice.
    for (let more = 10; more > 0 && opened.some(({ status }) => status === 'rejected'); more -= 1)
      opened = await openBoth();
    const sockets = opened.map((each) => (each.status === 'fulfilled' ? each.value : assert.fail(String(each.reason))));
    const closed = await Promise.race(sockets.map((socket) => socket.closed));
    assert.equal(closed.code, 4010);
    assert.equal(sockets.filter(({ socket }) => socket.readyState === socket.OPEN).length, 1);
  });

  it('count failed attempts to log in on both servers', async () => {
    const { a, b } = await two();
    const guess = async (node: TestServer, index: number) => {
      const headers = { authorization: `Bearer ${String(index).padStart(64, '0')}` };
      return (await fetch(`${node.origin}/api/live`, { headers })).status;
    };
    for (let index = 0; index < 10; index += 1) assert.equal(await guess(a, index), 401);
    await until('the other server refuses too', async () => (await guess(b, 99)) === 429);
  });

  it('list refusals and changes of both servers, on both', async () => {
    const { a, b } = await two();
    const [onA, onB] = await management(a, b);
    for (const [node, streamName] of [
      [a, 'asked-of-one'],
      [b, 'asked-of-the-other'],
    ] as const)
      await askDirector(node, 'subscribe', await node.token('subscribe'), { ...call, streamName });
    await onB!('POST', '/api/subscribe_token', { label: 'made on the other' });
    const listed = async (manage: typeof onA) => {
      const { data: refusals } = await manage!('GET', '/api/refusals');
      const { data: changes } = await manage!('GET', '/api/audit');
      return { refusals, changes };
    };
    // Refusals are written a moment later.
    await until('both are listed', async () => (await listed(onA)).refusals.length === 2);
    assert.deepEqual(await listed(onA), await listed(onB));
  });

  it('let a login of the dashboard in on both, and end it on both', async () => {
    const { a, b } = await shared();
    const visit = async (node: TestServer, method: string, path: string, headers: object, body?: object) => {
      const json = { 'content-type': 'application/json' };
      const response = await fetch(`${node.origin}/api/dashboard/${path}`, {
        method,
        headers: { ...headers, ...(body && json) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return response;
    };
    const code = await a.server.dashboard.createCode('main');
    // The code of one server, at the other.
    const login = await visit(b, 'POST', 'login', {}, { code });
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const session = async (node: TestServer) => (await visit(node, 'GET', 'session', { cookie })).status;
    assert.deepEqual([await session(a), await session(b)], [200, 200]);
    assert.equal((await visit(a, 'POST', 'login', {}, { code })).status, 401);
    await visit(a, 'POST', 'logout', { cookie, origin: a.origin });
    assert.deepEqual([await session(a), await session(b)], [401, 401]);
  });

  it('end the oldest viewing of a token that displaces, when a newer one on the other server has its media', async () => {
    const { a, b } = await shared();
    const limited = await a.token('subscribe', { maxSessions: 1, whenFull: 'displace' });
    const full = await a.token('subscribe', { maxSessions: 1 });
    const { viewer } = await clients(a).view({}, limited);
    const hasBegunOn = Date.now();
    await until(
      'the clocks of both servers say that another one is newer',
      () => Date.now() > hasBegunOn + CLOCK_ERROR_MS,
    );
    const { openViewer } = clients(b);
    const newer = await openViewer(limited);
    await openViewer(full);
    await until('the first server knows of both', async () => {
      return (await askDirector(a, 'subscribe', full, call)).body.data.code === 'token_full';
    });
    assert.equal((await newer.command('view', { sdp: 'no sdp' })).type, 'error');
    assert.equal((await viewer.command('fly')).code, 'unknown_command');
    assert.equal((await newer.command('view', viewing)).type, 'response');
    assert.equal((await viewer.closed).code, 4006);
  });

  for (const [what, offMs] of [
    ['behind', -5 * MINUTES],
    ['ahead', 5 * MINUTES],
  ] as const) {
    it(`agree on the time though the clock of one is five minutes ${what}`, async () => {
      const { a, b, tokens } = await two({ startsOn: Date.now() + offMs });
      await publishOn(a, tokens.publish);
      await isLiveOn(b, tokens.subscribe);
      const viewer = await opens(await askDirector(b, 'subscribe', tokens.subscribe, call));
      assert.equal((await viewer.command('view', viewing)).type, 'response');
      const { body } = await askDirector(b, 'subscribe', await b.token('subscribe', { expires: 60 }), call);
      assert.ok(body.data.tokenExpiresIn > 55 && body.data.tokenExpiresIn <= 60, `${body.data.tokenExpiresIn} s`);
      // A token of the other is not expired here, nor is one of this server there.
      const created = await a.token('subscribe', { expires: 60 });
      await until('it is known', async () => (await askDirector(b, 'subscribe', created, call)).status === 200);
    });
  }

  it('go by the time of the database when a clock is set back by five minutes while they run', async () => {
    const { a, b, tokens } = await two();
    const { publisher } = await publishOn(b, tokens.publish);
    await isLiveOn(a, tokens.subscribe);
    b.clock.now -= 5 * MINUTES;
    await until('it follows', async () => {
      const { body } = await askDirector(b, 'subscribe', await a.token('subscribe', { expires: 60 }), call);
      return body.data.tokenExpiresIn <= 60;
    });
    assert.ok(!publisher.events().includes('stopped'));
    const viewer = await opens(await askDirector(a, 'subscribe', tokens.subscribe, call));
    assert.equal((await viewer.command('view', viewing)).type, 'response');
  });

  it('log no fault while nothing happens to them', async () => {
    const { a, b, tokens } = await two();
    await publishOn(a, tokens.publish);
    await isLiveOn(b, tokens.subscribe);
    for (const { log } of [a, b]) {
      const lines = log.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.filter(({ level }) => level >= 40),
        [],
      );
    }
  });

  it('stop a publisher whose lease the database has lost, and give the name again', async () => {
    const { databaseUrl, a, b, tokens } = await two();
    const { publisher } = await publishOn(a, tokens.publish);
    const { publisher: another } = await clients(a).publish(
      { name: 'other' },
      { streamName: 'other' },
      await a.token('publish', { streams: [{ streamName: 'other', isRegex: false }] }),
    );
    await isLiveOn(b, tokens.subscribe);
    await query(databaseUrl, `delete from stream_lease where stream_name = 'main'`);
    assert.equal((await publisher.closed).code, 4011);
    assert.match(a.log.text, /the database has lost which streams this server has: their broadcasts are stopped/);
    assert.ok(!another.events().includes('stopped'));
    const isFree = async () => (await askDirector(b, 'publish', tokens.publish, call)).status === 200;
    await until('the other server knows that the name is free', isFree);
    await publishOn(b, tokens.publish);
  });
});
