import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ApiError } from '../../../server/errors.js';
import { ServerLoad, type CostlyCall } from '../../../server/sessions/server-load.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';
import { viewing, websocketSessions } from '../../support/websocket-sessions.js';

describe('the websocket of a session', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher, openViewer, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(async () => {
    mock.timers.reset();
    await cleanup.run();
  });

  it('is closed with a reason if the client requests no media within 30 seconds', async () => {
    const [silent, refused, busy] = await Promise.all(
      [1, 2, 3].map(async () => askDirector(app, 'subscribe', await app.token('subscribe'))),
    );
    mock.timers.enable({ apis: ['setTimeout'] });
    const sockets = await Promise.all([silent!, refused!, busy!].map((answer) => openSocket(answer)));
    assert.equal((await sockets[1]!.command('view', { sdp: 'not an offer' })).code, 'invalid_sdp');
    assert.equal((await sockets[2]!.command('view', viewing)).type, 'response');
    mock.timers.tick(30_000);
    for (const socket of sockets.slice(0, 2)) {
      assert.equal((await socket.event('stopped')).data.code, 'idle');
      assert.equal((await socket.closed).code, 4005);
    }
    assert.equal((await sockets[2]!.command('fly')).code, 'unknown_command');
  });

  it('has offers wait for the turn of their network, and no other command', async (test) => {
    const viewer = await openViewer();
    const publisher = await openPublisher();
    const { viewer: watching } = await view();
    const asked: string[] = [];
    test.mock.method(ServerLoad.prototype, 'turn', async ({ address, bytes, isGone }: CostlyCall) => {
      asked.push(`${address()} ${bytes > 500} ${isGone()}`);
      throw new ApiError(503, 'busy', 'too much');
    });
    for (const refused of [
      await viewer.command('view', viewing),
      await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) }),
      await watching.command('renew', { sdp: sdpOffer() }),
    ])
      assert.deepEqual([refused.type, refused.code, refused.data], ['error', 'busy', 'too much']);
    assert.deepEqual(asked, Array<string>(3).fill('127.0.0.1 true false'));
    assert.equal((await watching.command('ping')).type, 'response');
    test.mock.restoreAll();
    assert.equal((await viewer.command('view', viewing)).type, 'response');
  });

  it('refuses commands over the rate limit, and is closed if they continue, without an effect on other clients', async () => {
    const viewer = await openViewer();
    const { viewer: other } = await view();
    const ask = (times: number) => {
      for (let i = 0; i < times; i++) {
        viewer.socket.send(JSON.stringify({ type: 'cmd', transId: 1_000 + i, name: 'fly' }));
      }
    };
    ask(100);
    await viewer.frame(({ code }) => code === 'too_many_commands');
    ask(10_000);
    const { code, reason } = await viewer.closed;
    assert.deepEqual([code, reason], [1008, 'too_many_commands']);
    assert.equal((await other.command('fly')).code, 'unknown_command');
  });
});
