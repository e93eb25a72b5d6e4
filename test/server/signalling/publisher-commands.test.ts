import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cleanup } from '../../support/cleanup.js';
import { askDirector, streamServer, type TestServer } from '../../support/stream-server.js';
import { publishing, websocketSessions } from '../../support/websocket-sessions.js';

describe('the command publish', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openPublisher, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  it('adds a source to the stream, and every viewer receives its id', async () => {
    const { viewer } = await view();
    await publish({ sourceId: 'cam 1' });
    await publish({ sourceId: 'cam 2' });
    app.engine.sendFrame('main/main', 'cam 1');
    app.engine.sendFrame('main/main', 'cam 2');
    await viewer.frame(({ name, data }) => name === 'active' && data.sourceId === 'cam 2');
    assert.deepEqual(
      viewer.frames.filter(({ name }) => name === 'active').map(({ data }) => data.sourceId),
      ['cam 1', 'cam 2'],
    );
  });

  it('adds the main source after other sources', async () => {
    await publish({ sourceId: 'cam1' });
    const { publisher } = await publish();
    assert.equal((await publisher.command('publish', publishing)).code, 'already_connected');
  });

  it('refuses a source that has a publisher, whatever the priority', async () => {
    await publish({ sourceId: 'cam1' });
    const second = await openPublisher();
    const refusal = await second.command('publish', { ...publishing, sourceId: 'cam1', priority: 10 });
    assert.equal(refusal.code, 'stream_in_use');
    assert.equal((await second.command('publish', { ...publishing, sourceId: 'cam2' })).type, 'response');
  });

  it('refuses a second publisher without a source id: beside the main source at the director, beside several sources here, and logs both refusals', async () => {
    await publish();
    const token = await app.token('publish');
    const { status, body } = await askDirector(app, 'publish', token);
    assert.deepEqual([status, body.data.code], [409, 'stream_in_use']);

    await publish({ sourceId: 'cam1' }, { sourceId: 'cam1' });
    const unnamed = await openPublisher();
    assert.equal((await unnamed.command('publish', publishing)).code, 'stream_in_use');

    const secret = await app.server.secrets.create('main');
    const refusals = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      const { data } = await (await fetch(`${app.origin}/api/refusals`, { headers })).json();
      return data.map(({ reason }: { reason: string }) => reason);
    };
    while ((await refusals()).length < 2) await sleep(50);
    assert.deepEqual(await refusals(), ['stream_in_use', 'stream_in_use']);
  });

  it('refuses a source at the director when it has a publisher', async () => {
    await publish({ sourceId: 'cam1' });
    const token = await app.token('publish');
    const call = (sourceId: string | null) => askDirector(app, 'publish', token, { streamName: 'main', sourceId });
    assert.equal((await call('cam1')).status, 409);
    assert.equal((await call('cam2')).status, 200);
    assert.equal((await call(null)).status, 200);
  });

  for (const sourceId of ['', 'a\nb', 'x'.repeat(129), 7]) {
    it(`refuses ${JSON.stringify(sourceId).slice(0, 20)} as a source id`, async () => {
      const publisher = await openPublisher();
      const { code, data } = await publisher.command('publish', { ...publishing, sourceId });
      assert.equal(code, 'invalid_command');
      assert.match(data, /sourceId/);
    });
  }

  it('refuses a codec that the server does not support', async () => {
    const publisher = await openPublisher();
    const { code, data } = await publisher.command('publish', { ...publishing, codec: 'h265' });
    assert.equal(code, 'invalid_command');
    assert.match(data, /codec/);
  });

  it('sends the selected events: active and inactive for viewers, and their number', async () => {
    const { publisher } = await publish({ events: ['active', 'inactive', 'viewercount'], sourceId: 'cam1' });
    app.engine.sendFrame('main/main', 'cam1');
    const { viewer } = await view();
    const { data } = await publisher.event('active');
    assert.deepEqual([data.sourceId, data.tracks.length], ['cam1', 2]);
    await publisher.frame((frame) => frame.name === 'viewercount' && frame.data.viewercount === 1);
    viewer.socket.close();
    assert.deepEqual((await publisher.event('inactive')).data, { streamId: 'main/main', sourceId: 'cam1' });
  });
});
