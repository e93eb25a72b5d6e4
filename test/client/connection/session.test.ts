import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { GrantSource } from '../../../src/client/authorization/grant-source.js';
import { runSession, type SessionOptions } from '../../../src/client/connection/session.js';
import { LEAVING, type SignallingConnection } from '../../../src/client/connection/signalling.js';
import type { RejectedError, StreamError } from '../../../src/client/errors.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Runs a session in a fake browser, and records what it reports. */
function start(t: TestContext, change: (browser: FakeBrowser) => void = () => {}, more: Partial<SessionOptions> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const browser = new FakeBrowser(t);
  change(browser);
  const grants = new GrantSource('subscribe', {
    endpoint: 'http://fake.test',
    accountId: 'acme',
    streamName: 'keynote',
  });
  const log: string[] = [];
  const life = new AbortController();
  let signalling: SignallingConnection | undefined;
  let error: unknown;
  const run = () =>
    runSession(
      {
        grants,
        openPeer: () => new RTCPeerConnection(),
        command: { name: 'view', data: { streamId: 'keynote' } },
        lastCommands: () => [['leave']],
        onAdmitted: ({ jwt }) => log.push(`admitted ${jwt}`),
        onAnswer: (connection) => {
          signalling = connection;
          log.push('answer');
        },
        onEvent: (name) => log.push(name),
        onMigrate: () => log.push('migrate'),
        onConnected: () => log.push('connected'),
        ...more,
      },
      life.signal,
    ).catch((thrown: unknown) => (error = thrown));
  void run();
  t.after(() => life.abort());
  return { browser, grants, life, log, run, error: () => error, signalling: () => signalling! };
}

const view = { sdp: 'v=0', resumeToken: 'back', events: [{ name: 'active', data: {} }, { name: 'viewercount' }] };

describe('a session', () => {
  it('sends its offer to the director, applies the answer of the grant, and attaches the websocket', async (t) => {
    const { browser, log } = start(t, (one) => (one.grant = { view }));
    await turns();
    assert.deepEqual(Object.keys(browser.bodies[0]!['view'] as object), ['streamId', 'sdp']);
    assert.deepEqual(log, ['admitted a.b.c', 'connected', 'answer', 'active', 'viewercount']);
    assert.deepEqual(browser.commands, ['attach']);
  });

  it('sends its offer on the websocket where the grant has no answer', async (t) => {
    const { browser, log } = start(t);
    await turns();
    assert.deepEqual(log, ['admitted a.b.c', 'connected', 'answer']);
    assert.deepEqual(browser.commands, ['view']);
    assert.match(JSON.stringify(browser.commandData[0]), /"streamId":"keynote","sdp":"v=0/);
  });

  it('sends no offer with the call of a publisher', async (t) => {
    const { browser } = start(t, undefined, { command: { name: 'publish', data: {} } });
    await turns();
    assert.deepEqual([browser.bodies[0]!['view'], browser.commands], [undefined, ['publish']]);
  });

  it('applies its offer again with the ICE servers of the grant', async (t) => {
    const iceServers = [{ urls: 'stun:fake.test' }];
    const { browser } = start(t, (one) => (one.grant = { iceServers }));
    await turns();
    const [peer] = browser.peers;
    assert.deepEqual(peer!.iceServers, iceServers);
    assert.deepEqual(peer!.log, [
      'createOffer',
      'local offer',
      'local rollback',
      'setConfiguration',
      'local offer',
      'remote answer',
    ]);
  });

  it('shapes its offer before the browser and the server get it', async (t) => {
    const { browser } = start(t, undefined, { shapeOffer: (sdp) => `${sdp}a=shaped` });
    await turns();
    assert.match(JSON.stringify(browser.commandData), /a=shaped/);
  });

  it('ends where the answer has no SDP', async (t) => {
    const { error } = start(t, (browser) => (browser.answer = () => ({})));
    await turns();
    assert.equal((error() as StreamError).code, 'malformed_answer');
  });

  it('sends its last command, then closes the socket, then the peer connection', async (t) => {
    const { browser, life } = start(t);
    await turns();
    const socket = browser.sockets.at(-1)!;
    let wasPeerClosed: boolean | undefined;
    socket.close = (code) => {
      wasPeerClosed = browser.peers[0]!.isClosed;
      socket.closeCode = code;
    };
    life.abort(LEAVING);
    await turns();
    assert.deepEqual([browser.commands.at(-1), socket.closeCode, wasPeerClosed], ['leave', undefined, false]);
    assert.equal(browser.peers[0]!.isClosed, true);
  });

  it('closes the socket with the code of a client that will resume, unless it leaves', async (t) => {
    const { browser, life } = start(t);
    await turns();
    life.abort();
    assert.deepEqual([browser.sockets.at(-1)!.closeCode, browser.commands], [4000, ['view']]);
  });
});

describe('the deadline of a session', () => {
  it('is media_lost where the server answered and media does not arrive', async (t) => {
    const { error } = start(t, (browser) => (browser.mediaConnects = false));
    await turns();
    t.mock.timers.tick(14_999);
    await turns();
    assert.equal(error(), undefined);
    t.mock.timers.tick(1);
    await turns();
    assert.equal((error() as StreamError).code, 'media_lost');
  });

  it('is unreachable where media flows and the websocket does not open', async (t) => {
    const { browser, log, error } = start(t, (one) => {
      one.grant = { view };
      for (const url of one.urls) one.silent.add(url);
    });
    await turns();
    assert.ok(log.includes('connected'));
    t.mock.timers.tick(15_000);
    await turns();
    assert.deepEqual([(error() as StreamError).code, browser.commands], ['unreachable', []]);
  });

  it('does not count while the server has the viewer wait for its answer', async (t) => {
    const { browser, log, error } = start(t, (one) => (one.answer = () => undefined));
    await turns();
    const socket = browser.sockets.at(-1)!;
    socket.receive({ type: 'event', name: 'waiting', data: {} });
    t.mock.timers.tick(3_600_000);
    await turns();
    assert.deepEqual([log, error()], [['admitted a.b.c', 'connected'], undefined]);
    socket.receive({ type: 'response', transId: 0, data: { sdp: 'v=0' } });
    await turns();
    assert.deepEqual(log, ['admitted a.b.c', 'connected', 'connected', 'answer']);
  });

  it('does not count for a session that is connected', async (t) => {
    const { error } = start(t);
    await turns();
    t.mock.timers.tick(60_000);
    await turns();
    assert.equal(error(), undefined);
  });
});

describe('the events of a session', () => {
  it('end it with the code of `stopped`', async (t) => {
    const { browser, error } = start(t);
    await turns();
    browser.sockets
      .at(-1)!
      .receive({ type: 'event', name: 'stopped', data: { code: 'token_disabled', message: 'no' } });
    await turns();
    const { reason, message, retryable } = error() as RejectedError;
    assert.deepEqual([reason, message, retryable], ['token_disabled', 'no', false]);
  });

  it('ask the director for the next session after `migrate`, and not the resume grant', async (t) => {
    const { browser, grants, log } = start(t);
    await turns();
    browser.sockets.at(-1)!.receive({ type: 'event', name: 'migrate', data: {} });
    assert.equal(log.at(-1), 'migrate');
    assert.equal(grants.takeResumeGrant(), undefined);
  });
});

describe('a session after another one', () => {
  it('resumes without the director, with the ICE servers of the first grant', async (t) => {
    const iceServers = [{ urls: 'stun:fake.test' }];
    const { browser, log, run } = start(t, (one) => (one.grant = { iceServers }));
    await turns();
    void run();
    await turns();
    assert.deepEqual(
      [browser.calls, log.filter((entry) => entry.startsWith('admitted'))],
      [1, ['admitted a.b.c', 'admitted back']],
    );
    assert.match(browser.sockets.at(-1)!.url, /\?token=back$/);
    assert.deepEqual(browser.peers[1]!.log, ['setConfiguration', 'createOffer', 'local offer', 'remote answer']);
  });

  it('asks the director where the server does not answer the resume grant in five seconds', async (t) => {
    const { browser, run } = start(t);
    await turns();
    for (const url of browser.urls) browser.silent.add(url);
    void run();
    await turns();
    assert.equal(browser.calls, 1);
    t.mock.timers.tick(5_000);
    await turns();
    assert.deepEqual([browser.calls, browser.peers[1]!.isClosed], [2, true]);
  });
});

describe('a preconnected websocket', () => {
  it('carries the grant with its first command, and with no other', async (t) => {
    const { browser, signalling } = start(t, (one) => {
      one.takesPreconnect = true;
      one.urls = ['ws://fake.test/ws/v2/sub/0'];
    });
    await turns();
    await signalling().command('select', { layer: {} });
    assert.deepEqual(
      browser.sockets.map(({ url }) => url),
      ['ws://fake.test/ws/v2/sub'],
    );
    assert.equal((browser.commandData[0] as { grant?: string }).grant, 'a.b.c');
    assert.deepEqual(browser.commandData[1], { layer: {} });
  });

  it('is closed where the grant names another server', async (t) => {
    const { browser } = start(t, (one) => {
      one.takesPreconnect = true;
      one.urls = ['ws://elsewhere.test/ws/v2/sub/0'];
    });
    await turns();
    assert.deepEqual(
      browser.sockets.map(({ url, readyState }) => [url, readyState]),
      [
        ['ws://fake.test/ws/v2/sub', 3],
        ['ws://elsewhere.test/ws/v2/sub/0?token=a.b.c', 1],
      ],
    );
  });
});
