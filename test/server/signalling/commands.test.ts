import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import { commandAnswer, serverMessage } from '../../../src/wire/websocket/server-message.js';
import {
  activeEvent,
  inactiveEvent,
  layersEvent,
  migrateEvent,
  stoppedEvent,
  viewerCountEvent,
} from '../../../src/wire/websocket/stream-events.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';
import { viewing, websocketSessions } from '../../support/websocket-sessions.js';

const layer = (encodingId: string, more: Partial<LayerState> = {}): LayerState => ({
  encodingId,
  simulcastIndex: Number(encodingId),
  active: true,
  bitrate: 500_000,
  packets: 50,
  totalBytes: 100_000,
  width: 640,
  height: 360,
  ...more,
});

describe('the commands of the websocket', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openViewer, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  it('renews the media of both roles', async () => {
    const { publisher } = await publish();
    const { viewer } = await view();
    const renewed = await publisher.command('renew', { sdp: sdpOffer({ direction: 'sendonly' }) });
    assert.match(renewed.data.sdp, /^v=0/);
    assert.match((await viewer.command('renew', { sdp: sdpOffer() })).data.sdp, /^v=0/);
    assert.equal((await viewer.command('renew', { sdp: 'nonsense' })).code, 'invalid_sdp');
  });

  for (const [name, open] of [
    ['unpublish', async () => (await publish()).publisher],
    ['unview', async () => (await view()).viewer],
  ] as const) {
    it(`closes the websocket after ${name}`, async () => {
      const client = await open();
      assert.deepEqual((await client.command(name)).data, {});
      assert.equal((await client.closed).code, 1000);
    });
  }

  it('answers a command without a transId', async () => {
    const viewer = await openViewer();
    viewer.socket.send(JSON.stringify({ type: 'cmd', name: 'view', data: viewing }));
    const { transId, data } = await viewer.frame(({ type }) => type === 'response');
    assert.equal(transId, null);
    assert.match(data.sdp, /^v=0/);
  });

  it('sends frames that the client schemas accept', async () => {
    const { viewer } = await view();
    const { publisher } = await publish({ events: ['active', 'inactive', 'viewercount'] });
    app.engine.sendFrame('main/main');
    app.engine.changeTracks('main/main', null, ['video']);
    app.engine.reportLayers('main/main', null, [layer('0'), layer('1', { active: false })]);
    await viewer.event('layers');
    await publisher.event('viewercount');
    await publisher.command('unpublish');
    await viewer.event('inactive');
    await app.server.close();
    await viewer.closed;

    const schemas = new Map<string, { parse(data: unknown): unknown }>([
      ['active', activeEvent],
      ['updated', activeEvent],
      ['inactive', inactiveEvent],
      ['viewercount', viewerCountEvent],
      ['layers', layersEvent],
      ['migrate', migrateEvent],
      ['stopped', stoppedEvent],
    ]);
    const received = new Set<string>();
    for (const frame of [...viewer.frames, ...publisher.frames]) {
      const { type, name = '', data } = serverMessage.parse(frame);
      if (type === 'event') {
        schemas.get(name)!.parse(data);
        received.add(name);
      }
    }
    assert.deepEqual([...received].sort(), [...schemas.keys()].sort());
    commandAnswer.parse(viewer.frames[0].data);
  });

  it('sends migrate and then stopped when the server stops', async () => {
    const { viewer } = await view();
    const { publisher } = await publish({ events: ['migrate'] });
    await app.server.close();
    for (const client of [viewer, publisher]) {
      await client.closed;
      assert.deepEqual(client.events().slice(-2), ['migrate', 'stopped']);
    }
    assert.deepEqual((await viewer.event('migrate')).data, { streamId: 'main/main' });
  });
});
