import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import {
  askDirector,
  openSocket,
  refusedUpgrade,
  streamServer,
  type TestServer,
  NOW,
} from '../../support/stream-server.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

describe('the websocket', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const sessions = websocketSessions(() => app);
  const { openPublisher, openViewer } = sessions;
  const publish = async (data: object = {}) => (await sessions.publish(data)).publisher;
  const view = async (data: object = {}) => (await sessions.view(data)).viewer;

  it('answers a publisher with the fields that existing clients read, and a session key', async () => {
    const publisher = await openPublisher();
    const { type, data } = await publisher.command('publish', {
      sdp: sdpOffer({ direction: 'sendonly' }),
      codec: 'h264',
    });
    assert.equal(type, 'response');
    assert.match(data.sdp, /^v=0/);
    assert.match(data.publisherId, /^[0-9a-f]{32}$/);
    assert.equal(data.streamId, 'main/main');
    assert.equal(typeof data.clusterId, 'string');
    assert.match(data.feedId, /^[0-9a-f-]{36}$/);
    assert.equal(data.sessionKey.length >= 32, true);
  });

  it('answers a viewer with the fields that existing clients read', async () => {
    const viewer = await openViewer();
    const { type, data } = await viewer.command('view', { streamId: 'main', sdp: sdpOffer() });
    assert.equal(type, 'response');
    assert.match(data.sdp, /^v=0/);
    assert.match(data.subscriberId, /^[0-9a-f]{32}$/);
  });

  it('sends active when media flows, not when the publisher connects', async () => {
    const viewer = await view();
    await publish();
    assert.equal(viewer.events().includes('active'), false);

    app.engine.sendFrame('main/main');
    assert.deepEqual((await viewer.event('active')).data, {
      streamId: 'main/main',
      sourceId: null,
      tracks: [
        { trackId: '1', media: 'audio' },
        { trackId: '0', media: 'video' },
      ],
    });
  });

  it('sends active to a viewer that joins later', async () => {
    await publish();
    app.engine.sendFrame('main/main');
    const viewer = await view();
    assert.equal((await viewer.event('active')).data.streamId, 'main/main');
  });

  const declared = { declared: true, endedOn: NOW };
  const endings: [
    how: string,
    end: (publisher: Awaited<ReturnType<typeof publish>>) => void | Promise<unknown>,
    said: object,
  ][] = [
    ['the publisher closes its socket', ({ socket }) => socket.close(), declared],
    ['the publisher’s connection breaks', ({ socket }) => socket.terminate(), {}],
    ['the publisher sends unpublish', (publisher) => publisher.command('unpublish'), declared],
  ];
  for (const [how, end, said] of endings) {
    it(`sends inactive when ${how}, and releases the name`, async () => {
      const publisher = await publish();
      app.engine.sendFrame('main/main');
      const viewer = await view();
      await end(publisher);
      assert.deepEqual((await viewer.event('inactive')).data, { streamId: 'main/main', sourceId: null, ...said });
      assert.equal((await askDirector(app, 'publish', await app.token('publish'))).status, 200);
    });
  }

  it('sends inactive when the transport of the publisher is lost, and stops the publisher with the reason', async () => {
    const ids = mediaSessionsOf(app);
    const publisher = await publish();
    app.engine.sendFrame('main/main');
    const viewer = await view();
    app.engine.loseSession(ids[0]!);

    await viewer.event('inactive');
    const stopped = await publisher.event('stopped');
    assert.equal(stopped.data.code, 'transport_lost');
    assert.equal(stopped.data.streamId, 'main/main');
    assert.equal((await publisher.closed).code, 4002);
  });

  it('stops every session when the media engine restarts, so that clients connect again', async () => {
    const publisher = await publish();
    const viewer = await view();
    app.engine.crash();
    for (const client of [publisher, viewer]) {
      assert.equal((await client.event('stopped')).data.code, 'media_engine_restarted');
      await client.closed;
    }
    app.engine.recover();
    assert.equal((await askDirector(app, 'publish', await app.token('publish'))).status, 200);
  });

  it('stops every session when the server stops', async () => {
    const viewer = await view();
    await app.server.close();
    assert.equal((await viewer.event('stopped')).data.code, 'server_stopping');
    assert.equal((await viewer.closed).code, 1012);
  });

  it('closes the media of a viewer that leaves', async () => {
    const ids = mediaSessionsOf(app);
    const viewer = await view();
    assert.equal(app.engine.has(ids[0]!), true);
    viewer.socket.close();
    await viewer.closed;
    // The server handles the close of this websocket before it answers the next one.
    await view();
    assert.equal(app.engine.has(ids[0]!), false);
  });

  it('sends the viewer count to the clients that selected it', async () => {
    const publisher = await publish({ events: ['viewercount'] });
    app.engine.sendFrame('main/main');
    const other = await view({ events: ['active'] });
    const viewer = await view({ events: ['viewercount'] });
    await publisher.frame((frame) => frame.name === 'viewercount' && frame.data.viewercount === 2);
    await viewer.event('viewercount');
    assert.deepEqual(other.events(), ['active']);
  });

  it('sends a publisher only the events that it selected', async () => {
    const publisher = await publish();
    app.engine.sendFrame('main/main');
    const viewer = await view();
    await viewer.event('viewercount');
    assert.deepEqual(publisher.events(), []);
  });

  it('gives the source to one of two publishers that were both admitted', async () => {
    const [first, second] = [await openPublisher(), await openPublisher()];
    const data = { sdp: sdpOffer({ direction: 'sendonly' }) };
    const answers = await Promise.all([first.command('publish', data), second.command('publish', data)]);
    assert.deepEqual(answers.map(({ type }) => type).sort(), ['error', 'response']);
    assert.equal(answers.find(({ type }) => type === 'error').code, 'stream_in_use');
  });

  it('publishes the stream of the grant, whatever stream the command names', async () => {
    const publisher = await openPublisher();
    const { data } = await publisher.command('publish', { name: 'another', sdp: sdpOffer({ direction: 'sendonly' }) });
    assert.equal(data.streamId, 'main/main');
  });

  describe('refuses the upgrade', () => {
    const urlOf = async () => {
      const { body } = await askDirector(app, 'subscribe', await app.token('subscribe'));
      return { url: body.data.urls[0] as string, jwt: body.data.jwt as string };
    };

    it('without a grant', async () => {
      const { url } = await urlOf();
      const { status, body } = await refusedUpgrade(url);
      assert.equal(status, 401);
      assert.equal(body.data.code, 'grant_invalid');
    });

    it('with a grant that was used', async () => {
      const answer = await askDirector(app, 'subscribe', await app.token('subscribe'));
      await openSocket(answer);
      const { status, body } = await refusedUpgrade(`${answer.body.data.urls[0]}?token=${answer.body.data.jwt}`);
      assert.equal(status, 401);
      assert.equal(body.data.code, 'grant_spent');
    });

    it('with a grant that is a minute old', async () => {
      const { url, jwt } = await urlOf();
      app.clock.now += 60_000;
      assert.equal((await refusedUpgrade(`${url}?token=${jwt}`)).body.data.code, 'grant_expired');
    });

    it('with a grant for the other role', async () => {
      const { url, jwt } = await urlOf();
      const { body } = await refusedUpgrade(`${url.replace('/sub/', '/pub/')}?token=${jwt}`);
      assert.equal(body.data.code, 'grant_invalid');
    });

    it('at any other path', async () => {
      const { status, body } = await refusedUpgrade(`ws://127.0.0.1:${app.port}/socket`);
      assert.equal(status, 404);
      assert.equal(body.data.code, 'route_not_found');
    });
  });

  it('answers the question of either role whether it still answers', async () => {
    for (const client of [await openViewer(), await openPublisher()]) {
      const { type, data } = await client.command('ping');
      assert.deepEqual([type, data], ['response', {}]);
    }
  });

  describe('refuses and stays open after', () => {
    /** After a refusal the same socket still works, and so does the server. */
    const stillWorks = async (client: Awaited<ReturnType<typeof openViewer>>) => {
      assert.equal((await client.command('view', { sdp: sdpOffer() })).type, 'response');
    };

    it('a frame that is not JSON', async () => {
      const viewer = await openViewer();
      viewer.socket.send('hello');
      const { code, data } = await viewer.frame(({ type }) => type === 'error');
      assert.equal(code, 'invalid_frame');
      assert.equal(typeof data, 'string');
      await stillWorks(viewer);
    });

    it('a binary frame', async () => {
      const viewer = await openViewer();
      viewer.socket.send(Buffer.from([1, 2, 3]));
      assert.equal((await viewer.frame(({ type }) => type === 'error')).code, 'invalid_frame');
      await stillWorks(viewer);
    });

    it('an unknown command', async () => {
      const viewer = await openViewer();
      assert.equal((await viewer.command('fly')).code, 'unknown_command');
      await stillWorks(viewer);
    });

    it('a command of the other role', async () => {
      const viewer = await openViewer();
      assert.equal((await viewer.command('publish', { sdp: sdpOffer() })).code, 'unknown_command');
      await stillWorks(viewer);
    });

    it('a command without an offer', async () => {
      const viewer = await openViewer();
      const { code, data } = await viewer.command('view', {});
      assert.equal(code, 'invalid_command');
      assert.match(data, /sdp/);
      await stillWorks(viewer);
    });

    it('an invalid offer', async () => {
      const viewer = await openViewer();
      assert.equal((await viewer.command('view', { sdp: 'not an offer' })).code, 'invalid_sdp');
      await stillWorks(viewer);
    });

    it('an invalid offer of a publisher, and releases the name', async () => {
      const publisher = await openPublisher();
      const refused = await publisher.command('publish', { sdp: 'not an offer' });
      assert.equal(refused.code, 'invalid_sdp');
      assert.equal((await askDirector(app, 'publish', await app.token('publish'))).status, 200);
      assert.equal((await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) })).type, 'response');
    });

    it('a second view on one websocket', async () => {
      const viewer = await view();
      assert.equal((await viewer.command('view', { sdp: sdpOffer() })).code, 'already_connected');
    });

    it('a view while the media engine is down', async () => {
      const viewer = await openViewer();
      app.engine.crash();
      assert.equal((await viewer.command('view', { sdp: sdpOffer() })).code, 'engine_unavailable');
      app.engine.recover();
      await stillWorks(viewer);
    });
  });

  it('disconnects only the client that sends a frame over 64 KB', async () => {
    const [viewer, other] = [await view(), await view()];
    viewer.socket.send('x'.repeat(65 * 1024));
    assert.equal((await viewer.closed).code, 1009);
    assert.equal((await other.command('fly')).code, 'unknown_command');
  });

  it('logs neither grants nor tokens', async () => {
    const token = await app.token('subscribe');
    const answer = await askDirector(app, 'subscribe', token);
    const viewer = await openSocket(answer);
    await viewer.command('view', { sdp: sdpOffer() });
    assert.match(app.log.text, /session opened/);
    assert.equal(app.log.text.includes(answer.body.data.jwt), false);
    assert.equal(app.log.text.includes(token), false);
  });
});
