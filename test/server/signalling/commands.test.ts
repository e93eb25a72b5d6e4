import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LayerState } from '../../../server/media/media-engine.js';
import { commandAnswer } from '../../../src/wire/websocket/command-answer.js';
import { serverMessage } from '../../../src/wire/websocket/server-message.js';
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
import { askDirector, streamServer, type TestServer } from '../../support/stream-server.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { publishing, viewing, websocketSessions } from '../../support/websocket-sessions.js';

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
  const { openPublisher, openViewer, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  describe('publish', () => {
    it('adds a source to the stream, and every viewer hears of it by its name', async () => {
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

    it('takes a main source after others', async () => {
      await publish({ sourceId: 'cam1' });
      const { publisher } = await publish();
      assert.equal((await publisher.command('publish', publishing)).code, 'already_connected');
    });

    it('refuses a source that has a broadcaster, whatever his priority', async () => {
      await publish({ sourceId: 'cam1' });
      const second = await openPublisher();
      const refusal = await second.command('publish', { ...publishing, sourceId: 'cam1', priority: 10 });
      assert.equal(refusal.code, 'stream_in_use');
      assert.equal((await second.command('publish', { ...publishing, sourceId: 'cam2' })).type, 'response');
    });

    it('refuses a plain second broadcaster at the director, and among several sources here, and the owner sees both', async () => {
      await publish();
      const token = await app.token('publish');
      const { status, body } = await askDirector(app, 'publish', token);
      assert.deepEqual([status, body.data.code], [409, 'stream_in_use']);

      await publish({ sourceId: 'cam1' }, { sourceId: 'cam1' });
      const plain = await openPublisher();
      assert.equal((await plain.command('publish', publishing)).code, 'stream_in_use');

      const secret = await app.server.secrets.create('main');
      const kept = async () => {
        const headers = { authorization: `Bearer ${secret}` };
        const { data } = await (await fetch(`${app.origin}/api/refusals`, { headers })).json();
        return data.map(({ reason }: { reason: string }) => reason);
      };
      while ((await kept()).length < 2) await sleep(50);
      assert.deepEqual(await kept(), ['stream_in_use', 'stream_in_use']);
    });

    it('refuses a named source at the director when it is taken', async () => {
      await publish({ sourceId: 'cam1' });
      const token = await app.token('publish');
      const call = (sourceId: string | null) => askDirector(app, 'publish', token, { streamName: 'main', sourceId });
      assert.equal((await call('cam1')).status, 409);
      assert.equal((await call('cam2')).status, 200);
      assert.equal((await call(null)).status, 200);
    });

    for (const sourceId of ['', 'a\nb', 'x'.repeat(129), 7]) {
      it(`refuses ${JSON.stringify(sourceId).slice(0, 20)} as a source`, async () => {
        const publisher = await openPublisher();
        const { code, data } = await publisher.command('publish', { ...publishing, sourceId });
        assert.equal(code, 'invalid_command');
        assert.match(data, /sourceId/);
      });
    }

    it('refuses to record, and publishes without', async () => {
      const publisher = await openPublisher();
      const answer = async (data: object) => publisher.command('publish', { ...publishing, ...data });
      assert.equal((await answer({ record: true })).code, 'recording_unavailable');
      assert.equal((await answer({ record: false })).type, 'response');
      assert.equal((await publisher.command('record')).code, 'recording_unavailable');
      assert.equal((await publisher.command('unrecord')).code, 'recording_unavailable');
    });

    it('refuses a codec that we do not carry', async () => {
      const publisher = await openPublisher();
      const { code, data } = await publisher.command('publish', { ...publishing, codec: 'h265' });
      assert.equal(code, 'invalid_command');
      assert.match(data, /codec/);
    });

    it('tells the events that were asked for: who watches, and how many', async () => {
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

  describe('view', () => {
    it('hands on what the viewer asks for', async () => {
      const ids = mediaSessionsOf(app);
      await view({
        layer: { encodingId: '1', spatialLayerId: 0, temporalLayerId: 255, maxWidth: 640 },
        pinnedSourceId: 'cam1',
        excludedSourceIds: ['cam2'],
        forcePlayoutDelay: { min: 0, max: 400 },
        vad: true,
      });
      const asked = JSON.parse(JSON.stringify(app.engine.optionsOf(ids[0]!)));
      assert.deepEqual(asked, {
        layer: { encodingId: '1', spatialLayerId: 0, maxWidth: 640 },
        pinnedSourceId: 'cam1',
        excludedSourceIds: ['cam2'],
        playoutDelay: { min: 0, max: 400 },
      });
    });

    it('takes null for what is absent', async () => {
      const ids = mediaSessionsOf(app);
      await view({ layer: null, pinnedSourceId: null, excludedSourceIds: null, forcePlayoutDelay: null });
      assert.deepEqual(JSON.parse(JSON.stringify(app.engine.optionsOf(ids[0]!))), {});
    });

    it('refuses a playout delay that ends before it begins', async () => {
      const viewer = await openViewer();
      const refusal = await viewer.command('view', { ...viewing, forcePlayoutDelay: { min: 400, max: 0 } });
      assert.equal(refusal.code, 'invalid_command');
    });

    it('answers first, and then tells everything that is true, under numbers that grow', async () => {
      await publish();
      await publish({ sourceId: 'cam1' }, { sourceId: 'cam1' });
      app.engine.sendFrame('main/main');
      app.engine.sendFrame('main/main', 'cam1');
      app.engine.reportLayers('main/main', null, [layer('0')]);
      const { viewer } = await view();
      await viewer.event('layers');
      const frames = viewer.frames.map(({ type, name, data }) => [type, name, data.sourceId]);
      assert.deepEqual(frames.slice(0, 5), [
        ['response', undefined, undefined],
        ['event', 'active', null],
        ['event', 'active', 'cam1'],
        ['event', 'viewercount', undefined],
        ['event', 'layers', undefined],
      ]);
      app.engine.changeTracks('main/main', null, ['audio']);
      await viewer.event('updated');
      const numbers = viewer.frames.slice(1).map(({ seq }) => seq as number);
      assert.ok(numbers.every(Number.isSafeInteger));
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
    });

    it('tells what was asked for and nothing else', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view({ events: ['updated'] });
      app.engine.changeTracks('main/main', null, ['audio']);
      await viewer.event('updated');
      assert.deepEqual(viewer.events(), ['updated']);
    });

    it('is refused a second time, and changes nothing then', async () => {
      const { viewer } = await view({ events: ['active'] });
      assert.equal((await viewer.command('view', { ...viewing, events: [] })).code, 'already_connected');
      await publish();
      app.engine.sendFrame('main/main');
      await viewer.event('active');
    });

    it('says both spellings of the count', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      const { data } = await viewer.frame((frame) => frame.name === 'viewercount' && frame.data.viewercount === 1);
      assert.deepEqual(data, { streamId: 'main/main', viewercount: 1, viewerCount: 1 });
    });
  });

  describe('layers', () => {
    it('tells by m-line what its video comes in', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      app.engine.reportLayers('main/main', null, [
        layer('0', { width: 320, height: 180, bitrate: 100_000 }),
        layer('1', { active: false, bitrate: 0, packets: 0, totalBytes: 7 }),
      ]);
      const { data } = await viewer.event('layers');
      const small = { encodingId: '0', simulcastIdx: 0, spatialLayerId: 255, temporalLayerId: 255 };
      const size = { width: 320, height: 180 };
      const rate = { bitrate: 100_000, totalBitrate: 100_000 };
      assert.deepEqual(data, {
        medias: {
          '1': {
            active: [{ id: '0', simulcastIdx: 0, totalBytes: 100_000, numPackets: 50, ...rate, ...size, layers: [] }],
            inactive: [{ id: '1', simulcastIdx: 1, totalBytes: 7, numPackets: 0 }],
            layers: [{ ...small, ...rate, targetBitrate: 100_000, targetWidth: 320, targetHeight: 180, ...size }],
          },
        },
      });
    });

    it('sums up what is scalable in itself', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      app.engine.reportLayers('main/main', null, [
        layer('0', { spatialLayerId: 0, temporalLayerId: 0, width: 320, height: 180 }),
        layer('0', { spatialLayerId: 1, temporalLayerId: 0 }),
      ]);
      const { active, layers } = (await viewer.event('layers')).data.medias['1'];
      assert.equal(active.length, 1);
      assert.deepEqual([active[0].width, active[0].bitrate, active[0].layers.length], [640, 1_000_000, 2]);
      assert.deepEqual(
        layers.map((one: { spatialLayerId: number; temporalLayerId: number }) => [
          one.spatialLayerId,
          one.temporalLayerId,
        ]),
        [
          [0, 0],
          [1, 0],
        ],
      );
    });

    it('tells each viewer of the sources that he is shown', async () => {
      await publish({ sourceId: 'cam1' });
      await publish({ sourceId: 'cam2' });
      for (const source of ['cam1', 'cam2']) app.engine.sendFrame('main/main', source);
      const [plain, pinned, picky, many, none] = await Promise.all(
        [
          {},
          { pinnedSourceId: 'cam2' },
          { excludedSourceIds: ['cam1'] },
          { events: ['layers'] },
          { pinnedSourceId: 'cam3' },
        ].map(async (asked) => (await view(asked)).viewer),
      );
      await many!.command('project', { sourceId: 'cam2', mapping: [{ media: 'video', mediaId: '7' }] });
      app.engine.reportLayers('main/main', 'cam1', [layer('0', { width: 1 })]);
      app.engine.reportLayers('main/main', 'cam2', [layer('0', { width: 2 })]);

      const shown = async (viewer: typeof plain) => {
        const { medias } = (await viewer!.event('layers')).data;
        return Object.entries<{ active: { width: number }[] }>(medias).map(([mid, { active }]) => [
          mid,
          active[0]!.width,
        ]);
      };
      assert.deepEqual(await shown(plain), [['1', 1]]);
      assert.deepEqual(await shown(pinned), [['1', 2]]);
      assert.deepEqual(await shown(picky), [['1', 2]]);
      assert.deepEqual(await shown(many), [
        ['1', 1],
        ['7', 2],
      ]);
      assert.equal(none!.events().includes('layers'), false);
    });
  });

  describe('select', () => {
    it('chooses a layer, and leaves the choice to us again', async () => {
      const ids = mediaSessionsOf(app);
      const { viewer } = await view();
      const select = (data: object) => viewer.command('select', data);
      assert.deepEqual((await select({ layer: { encodingId: '2', temporalLayerId: 1 } })).data, {});
      assert.deepEqual(JSON.parse(JSON.stringify(app.engine.layerOf(ids[0]!))), {
        encodingId: '2',
        temporalLayerId: 1,
      });
      await select({ layer: {} });
      assert.deepEqual(JSON.parse(JSON.stringify(app.engine.layerOf(ids[0]!))), {});
      assert.equal((await select({ layer: { encodingId: 7 } })).code, 'invalid_command');
    });

    it('is refused before view', async () => {
      const viewer = await openViewer();
      for (const [name, data] of [
        ['select', { layer: {} }],
        ['project', { mapping: [{ media: 'video' }] }],
        ['unproject', { mediaIds: ['0'] }],
        ['renew', { sdp: sdpOffer() }],
      ] as const) {
        assert.equal((await viewer.command(name, data)).code, 'not_connected', name);
      }
      assert.equal((await viewer.command('view', viewing)).type, 'response');
    });
  });

  describe('project', () => {
    const projected = async (mapping: readonly object[], sourceId?: string | null) => {
      await publish({ sourceId: 'cam1' });
      const ids = mediaSessionsOf(app);
      const { viewer } = await view();
      const answer = await viewer.command('project', { mapping, ...(sourceId !== undefined && { sourceId }) });
      app.engine.sendFrame('main/main', 'cam1');
      return { answer, sees: (kind: 'audio' | 'video') => app.engine.received(ids[0]!, kind), viewer };
    };

    for (const [how, line] of [
      ['its track id', { trackId: '0' }],
      ['its kind as a track id', { trackId: 'video' }],
      ['its kind', { media: 'video' }],
      ['its kind where the track id is not known', { trackId: 'cam1-video', media: 'video' }],
    ] as const) {
      it(`shows a track that is named by ${how}`, async () => {
        const { answer, sees } = await projected([{ ...line, mediaId: 7 }], 'cam1');
        assert.deepEqual(answer.data, {});
        // On the main m-line, too, as the only source.
        assert.deepEqual([sees('video'), sees('audio')], [2, 1]);
      });
    }

    it('refuses a line that names no track, and does nothing of the others', async () => {
      const { answer, sees } = await projected([{ media: 'video', mediaId: '7' }, { trackId: '5' }], 'cam1');
      assert.equal(answer.code, 'invalid_command');
      assert.equal(sees('video'), 1);
    });

    it('refuses a source that there is not, and an m-line of the other kind', async () => {
      const { answer, viewer } = await projected([{ media: 'video' }]);
      assert.equal(answer.code, 'unknown_source');
      const other = await viewer.command('project', { sourceId: 'cam1', mapping: [{ media: 'video', mediaId: '0' }] });
      assert.equal(other.code, 'unknown_media');
    });

    it('is undone by unproject', async () => {
      const { sees, viewer } = await projected([{ media: 'video', mediaId: '7' }], 'cam1');
      assert.deepEqual((await viewer.command('unproject', { mediaIds: ['7'] })).data, {});
      app.engine.sendFrame('main/main', 'cam1');
      assert.equal(sees('video'), 3);
      assert.equal((await viewer.command('unproject', { mediaIds: ['9'] })).code, 'unknown_media');
    });
  });

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
    it(`closes the socket after ${name}`, async () => {
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

  it('says what the wire says', async () => {
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
    const told = new Set<string>();
    for (const frame of [...viewer.frames, ...publisher.frames]) {
      const { type, name = '', data } = serverMessage.parse(frame);
      if (type === 'event') {
        schemas.get(name)!.parse(data);
        told.add(name);
      }
    }
    assert.deepEqual([...told].sort(), [...schemas.keys()].sort());
    commandAnswer.parse(viewer.frames[0].data);
  });

  it('says migrate and then stopped when the server stops', async () => {
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
