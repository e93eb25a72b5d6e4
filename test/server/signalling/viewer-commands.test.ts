import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { EVERY_CAPABILITY } from '../../../server/media/engine/engine-capabilities.js';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import type { OfferedViewing } from '../../../server/media/engine/media-session.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
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

describe('the commands of a viewer', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { openViewer, publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  describe('view', () => {
    it('passes the options of the viewer to the media engine', async () => {
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

    it('gives the offer of an engine that makes it to a client that takes it, and its answer to the engine', async () => {
      const answers: string[] = [];
      Object.assign(app.engine, {
        capabilities: { ...EVERY_CAPABILITY, offerFrom: 'server' },
        offer: async (): Promise<OfferedViewing> => ({
          id: 'offered',
          offer: 'v=0 of the engine',
          mids: {},
          accept: async (answer) => void answers.push(answer),
          select: async () => {},
          project: async () => {},
          unproject: async () => {},
          close() {},
        }),
      });
      const { viewer, answer } = await view({ takesOffer: true });
      assert.deepEqual([answer.type, answer.sdp], ['offer', 'v=0 of the engine']);
      const { type, data } = await viewer.command('answer', { sdp: 'v=0 of the viewer' });
      assert.deepEqual([type, data, answers], ['response', {}, ['v=0 of the viewer']]);
      const renewal = await viewer.command('renew', { sdp: sdpOffer() });
      assert.equal(renewal.code, 'engine_unsupported');

      const { answer: other } = await view();
      assert.equal(other.type, undefined);
    });

    it('has no offer to answer where the client made it', async () => {
      const { viewer } = await view({ takesOffer: true });
      assert.equal((await viewer.command('answer', { sdp: 'v=0' })).code, 'not_connected');
    });

    it('treats null like an absent option', async () => {
      const ids = mediaSessionsOf(app);
      await view({ layer: null, pinnedSourceId: null, excludedSourceIds: null, forcePlayoutDelay: null });
      assert.deepEqual(JSON.parse(JSON.stringify(app.engine.optionsOf(ids[0]!))), {});
    });

    it('refuses a playout delay whose min is over its max', async () => {
      const viewer = await openViewer();
      const refusal = await viewer.command('view', { ...viewing, forcePlayoutDelay: { min: 400, max: 0 } });
      assert.equal(refusal.code, 'invalid_command');
    });

    it('answers first and then sends everything that is true of the stream, with growing sequence numbers', async () => {
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

    it('sends only the selected events', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view({ events: ['updated'] });
      app.engine.changeTracks('main/main', null, ['audio']);
      await viewer.event('updated');
      assert.deepEqual(viewer.events(), ['updated']);
    });

    it('is refused the second time, without an effect on the first', async () => {
      const { viewer } = await view({ events: ['active'] });
      assert.equal((await viewer.command('view', { ...viewing, events: [] })).code, 'already_connected');
      await publish();
      app.engine.sendFrame('main/main');
      await viewer.event('active');
    });

    it('sends the viewer count in both spellings', async () => {
      await publish();
      app.engine.sendFrame('main/main');
      const { viewer } = await view();
      const { data } = await viewer.frame((frame) => frame.name === 'viewercount' && frame.data.viewercount === 1);
      assert.deepEqual(data, { streamId: 'main/main', viewercount: 1, viewerCount: 1 });
    });
  });

  describe('layers', () => {
    it('reports to each viewer the sources that it is shown', async () => {
      await publish({ sourceId: 'cam1' });
      await publish({ sourceId: 'cam2' });
      for (const source of ['cam1', 'cam2']) app.engine.sendFrame('main/main', source);
      const [plain, pinned, excluding, many, none] = await Promise.all(
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
      assert.deepEqual(await shown(excluding), [['1', 2]]);
      assert.deepEqual(await shown(many), [
        ['1', 1],
        ['7', 2],
      ]);
      assert.equal(none!.events().includes('layers'), false);
    });
  });

  describe('select', () => {
    it('selects a layer, and lets the engine select again', async () => {
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
      return { answer, received: (kind: 'audio' | 'video') => app.engine.received(ids[0]!, kind), viewer };
    };

    for (const [how, entry] of [
      ['its track id', { trackId: '0' }],
      ['its kind as a track id', { trackId: 'video' }],
      ['its kind', { media: 'video' }],
      ['its kind where the track id is not known', { trackId: 'cam1-video', media: 'video' }],
    ] as const) {
      it(`shows a track that is named by ${how}`, async () => {
        const { answer, received } = await projected([{ ...entry, mediaId: 7 }], 'cam1');
        assert.deepEqual(answer.data, {});
        // Also on the main m-line, as the only source.
        assert.deepEqual([received('video'), received('audio')], [2, 1]);
      });
    }

    it('refuses a mapping with an entry that names no track, and applies none of its entries', async () => {
      const { answer, received } = await projected([{ media: 'video', mediaId: '7' }, { trackId: '5' }], 'cam1');
      assert.equal(answer.code, 'invalid_command');
      assert.equal(received('video'), 1);
    });

    it('refuses an unknown source, and an m-line of the other kind', async () => {
      const { answer, viewer } = await projected([{ media: 'video' }]);
      assert.equal(answer.code, 'unknown_source');
      const other = await viewer.command('project', { sourceId: 'cam1', mapping: [{ media: 'video', mediaId: '0' }] });
      assert.equal(other.code, 'unknown_media');
    });

    it('shows what the server chooses, if it is automatic', async () => {
      const { received, viewer } = await projected([{ media: 'video' }], 'cam1');
      await viewer.command('unproject', { mediaIds: ['0', '1'] });
      app.engine.sendFrame('main/main', 'cam1');
      assert.equal(received('video'), 1);
      const mapping = [{ media: 'video' }, { media: 'audio' }];
      assert.deepEqual((await viewer.command('project', { automatic: true, mapping })).data, {});
      app.engine.sendFrame('main/main', 'cam1');
      assert.equal(received('video'), 2);
    });

    it('is reversed by unproject', async () => {
      const { received, viewer } = await projected([{ media: 'video', mediaId: '7' }], 'cam1');
      assert.deepEqual((await viewer.command('unproject', { mediaIds: ['7'] })).data, {});
      app.engine.sendFrame('main/main', 'cam1');
      assert.equal(received('video'), 3);
      assert.equal((await viewer.command('unproject', { mediaIds: ['9'] })).code, 'unknown_media');
    });
  });
});
