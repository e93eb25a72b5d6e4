import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { EventReader } from '../../support/event-reader.js';
import { askIngest, locationOf, whep, whip } from '../../support/ingest-client.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';
import { publishing, viewing, websocketSessions } from '../../support/websocket-sessions.js';

/** A guest is a viewer without a token. The publisher of an open stream permits guests. */
describe('a guest of an open stream', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher, publish, resume } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const protectedToken = () => app.token('publish', { subscribeRequiresAuth: true });
  const publishOpen = async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    return { end: () => publisher.command('unpublish') };
  };
  const guest = async () => {
    const viewer = await openSocket(await askDirector(app, 'subscribe'));
    const { data } = await viewer.command('view', viewing);
    return { viewer, resumeToken: data.resumeToken as string };
  };
  /** The number of viewers that the media engine has when it is asked to publish. */
  const viewersAtPublish = () => {
    const counts: number[] = [];
    const { publish } = app.engine;
    app.engine.publish = async (...call) => {
      counts.push((await app.engine.stats('main/main')).viewers);
      return publish.apply(app.engine, call);
    };
    return counts;
  };

  it('is disconnected with a reason when a protected publisher takes the stream, before any of its media', async () => {
    const broadcast = await publishOpen();
    const ids = mediaSessionsOf(app);
    const { viewer } = await guest();
    await viewer.event('active');
    await broadcast.end();
    await viewer.event('inactive');
    const counts = viewersAtPublish();

    const publisher = await openPublisher({}, await protectedToken());
    assert.equal((await publisher.command('publish', publishing)).type, 'response');
    app.engine.sendFrame('main/main');
    assert.deepEqual(counts, [0]);
    assert.equal((await viewer.event('stopped')).data.code, 'token_missing');
    assert.equal((await viewer.closed).code, 4010);
    assert.deepEqual(
      viewer.events().filter((name) => name === 'active'),
      ['active'],
    );
    assert.equal(app.engine.has(ids[0]!), false);
  });

  it('is disconnected when the protected publisher uses WHIP', async () => {
    const broadcast = await publishOpen();
    const { viewer } = await guest();
    await broadcast.end();
    await viewer.event('inactive');
    const counts = viewersAtPublish();
    locationOf(await whip(app, { token: await protectedToken() }));
    assert.deepEqual(counts, [0]);
    assert.equal((await viewer.event('stopped')).data.code, 'token_missing');
  });

  it('is disconnected when a protected source is added to the open one', async () => {
    await publishOpen();
    const { viewer } = await guest();
    const publisher = await openPublisher({ sourceId: 'cam1' }, await protectedToken());
    await publisher.command('publish', { ...publishing, sourceId: 'cam1' });
    assert.equal((await viewer.event('stopped')).data.code, 'token_missing');
  });

  it('is disconnected over WHEP as well', async () => {
    const broadcast = await publishOpen();
    const session = locationOf(await whep(app));
    const stream = locationOf(await askIngest(app, `${session}/events`, {}));
    const events = await EventReader.open(new URL(stream, app.origin));
    cleanup.after(() => events.close());
    await broadcast.end();
    await events.event('inactive');
    locationOf(await whip(app, { token: await protectedToken() }));
    assert.equal((await events.event('stopped')).code, 'token_missing');
  });

  it('stays connected when the next publisher is open as well', async () => {
    const broadcast = await publishOpen();
    const { viewer } = await guest();
    await broadcast.end();
    await viewer.event('inactive');
    await publishOpen();
    await viewer.frame((frame) => frame.name === 'active' && viewer.events().lastIndexOf('active') > 0);
    assert.equal(viewer.events().includes('stopped'), false);
  });

  it('cannot watch a protected publisher with a resume token three hours later', async () => {
    const broadcast = await publishOpen();
    const { viewer, resumeToken } = await guest();
    await broadcast.end();
    viewer.socket.terminate();
    app.clock.now += 3 * 3_600_000;

    const resumed = await resume('sub', resumeToken);
    assert.equal((await resumed.command('view', viewing)).type, 'response');
    const publisher = await openPublisher({}, await protectedToken());
    await publisher.command('publish', publishing);
    app.engine.sendFrame('main/main');
    assert.equal((await resumed.event('stopped')).data.code, 'token_missing');
    assert.equal(resumed.events().includes('active'), false);
  });
});
