import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import type { OfferedViewing, ViewOptions } from '../../../server/media/engine/media-session.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import { sdpOffer } from '../../support/media/offer.js';
import { OpenedSessions } from '../../support/opened-sessions.js';

const PUBLISHING = sdpOffer({ direction: 'sendonly' });
const STREAM = streamIdOf('acme', 'main');
const LAYER: LayerState = {
  encodingId: '0',
  simulcastIndex: 0,
  active: true,
  bitrate: 500_000,
  packets: 50,
  totalBytes: 100_000,
  width: 640,
  height: 360,
};

describe('the session of a viewer', () => {
  let server: OpenedSessions;

  beforeEach(() => {
    server = new OpenedSessions(5);
  });

  const namesOf = ({ events }: { readonly events: readonly { readonly name: string }[] }) =>
    events.map(({ name }) => name);
  const goLive = async (sourceId: string | null = null) => {
    const { session } = server.publisher();
    await session.publish(PUBLISHING, { sourceId });
    server.engine.sendFrame('acme/main', sourceId);
  };
  /** An engine that makes the offers of viewers. @returns the answers that it gets */
  const offerFromServer = () => {
    server.capabilities = { offerFrom: 'server' };
    const answers: string[] = [];
    const offered: OfferedViewing = {
      id: 'offered',
      offer: 'v=0 of the engine',
      mids: {},
      accept: async (answer) => void answers.push(answer),
      select: async () => {},
      project: async () => {},
      unproject: async () => {},
      close() {},
    };
    Object.assign(server.engine, { offer: async () => offered });
    return answers;
  };

  describe('of an engine that answers when the stream is live', () => {
    /** The options of each call of `view`, which is not answered. */
    let asked: ViewOptions[];

    beforeEach(() => {
      server.capabilities = { answersWaiting: false };
      asked = [];
      server.engine.view = async (_name, _sdp, options = {}) => {
        asked.push(options);
        return new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
        );
      };
    });

    it('tells its client that it waits, and sends events from then on', async () => {
      const waiting = server.emitted('waiting');
      const viewer = server.viewer();
      const viewing = viewer.session.view(sdpOffer());
      assert.equal(waiting.length, 1);
      assert.deepEqual(namesOf(viewer), ['viewercount', 'waiting']);
      viewer.session.startEvents();
      assert.equal(server.streams.viewersOf(STREAM).length, 1);
      viewer.session.end();
      await assert.rejects(viewing, { code: 'session_ended' });
    });

    it('does not wait if the stream is live', async () => {
      await goLive();
      const waiting = server.emitted('waiting');
      const viewer = server.viewer();
      const viewing = viewer.session.view(sdpOffer());
      assert.deepEqual([waiting, namesOf(viewer)], [[], []]);
      viewer.session.end();
      await assert.rejects(viewing, { code: 'session_ended' });
    });
  });

  it('does not wait for an engine that answers before', async () => {
    const waiting = server.emitted('waiting');
    const viewer = server.viewer();
    const { type, sdp } = await viewer.session.view(sdpOffer());
    assert.deepEqual([type, waiting, namesOf(viewer)], ['answer', [], []]);
    assert.match(sdp, /^v=0/);
  });

  it('gets an offer if the engine makes it and the client takes it, and passes the answer on', async () => {
    const answers = offerFromServer();
    const { session } = server.viewer();
    assert.deepEqual(await session.view(sdpOffer(), { takesOffer: true }), { type: 'offer', sdp: 'v=0 of the engine' });
    await session.accept('v=0 of the viewer');
    assert.deepEqual(answers, ['v=0 of the viewer']);
    await assert.rejects(session.renew(sdpOffer()), { code: 'engine_unsupported' });
  });

  it('gets an answer if the engine makes none or the client does not take it', async () => {
    const taker = server.viewer().session;
    assert.equal((await taker.view(sdpOffer(), { takesOffer: true })).type, 'answer');
    await assert.rejects(taker.accept('v=0'), { code: 'not_connected' });
    offerFromServer();
    assert.equal((await server.viewer().session.view(sdpOffer())).type, 'answer');
  });

  it('moves its media to another path', async () => {
    const { session } = server.viewer();
    const offer = sdpOffer();
    await session.view(offer);
    assert.match(await session.renew(offer), /^v=0/);
  });

  it('ends the session that it resumes, and one that resumes none ends nothing', async () => {
    const [first, other] = [server.viewer(), server.viewer()];
    await first.session.view(sdpOffer());
    await other.session.view(sdpOffer());
    await server.viewer({ resumes: first.session.id }).session.view(sdpOffer());
    assert.deepEqual(
      [first, other].map(({ stops }) => stops.map(({ code }) => code)),
      [['replaced'], []],
    );
  });

  it('joins its stream once, when its events start, and not after its end', () => {
    const changes: string[] = [];
    server.streams.on('viewers-changed', (streamId) => changes.push(streamId));
    const [viewer, gone] = [server.viewer(), server.viewer()];
    viewer.session.startEvents();
    viewer.session.startEvents();
    assert.deepEqual([changes, namesOf(viewer)], [['acme/main'], ['viewercount']]);
    gone.session.end();
    gone.session.startEvents();
    assert.equal(server.streams.viewersOf(STREAM).length, 1);
    viewer.session.end();
    assert.equal(server.streams.hasViewers(STREAM), false);
  });

  it('counts while media reaches it', async () => {
    const viewer = server.viewer();
    server.engine.peersConnect = false;
    await viewer.session.view(sdpOffer());
    viewer.session.startEvents();
    assert.equal(viewer.session.reachable, false);
    const [mediaId] = server.engine.viewerIds('acme/main');
    const reachable = server.emitted('reachable');
    await goLive();
    server.engine.setReachable(mediaId!, true);
    server.engine.emit('reachable', 'of nobody', true);
    assert.deepEqual([viewer.session.reachable, reachable], [true, [[true]]]);
    assert.deepEqual(viewer.events.at(-1)?.data, { streamId: STREAM, viewercount: 1, viewerCount: 1 });
    server.engine.setReachable(mediaId!, false);
    assert.equal(viewer.session.reachable, false);
  });

  it('is told on which of its m-lines the video is paused', async () => {
    const [viewer, other] = [server.viewer(), server.viewer()];
    for (const { session } of [viewer, other]) {
      await session.view(sdpOffer());
      session.startEvents();
    }
    server.engine.emit('paused', server.engine.viewerIds('acme/main')[0]!, ['1']);
    assert.deepEqual(viewer.events.at(-1)?.data, { streamId: 'acme/main', mediaIds: ['1'] });
    assert.ok(!namesOf(other).includes('paused'));
  });

  describe('is told the layers', () => {
    const layersOf = (sources: (string | null)[]) => ({
      seq: 9,
      name: 'layers-measured' as const,
      layers: new Map(sources.map((sourceId) => [sourceId, [LAYER]])),
    });
    const watching = async () => {
      await goLive('cam1');
      const viewer = server.viewer();
      await viewer.session.view(sdpOffer({ kinds: ['video', 'audio'] }), { excludedSourceIds: ['cam1'] });
      return viewer;
    };

    it('of the sources that it shows, and nothing if it shows none', async () => {
      const viewer = await watching();
      viewer.session.send(layersOf(['cam1']));
      assert.deepEqual(namesOf(viewer), []);
      viewer.session.send(layersOf(['cam1', 'cam2']));
      assert.deepEqual(namesOf(viewer), ['layers']);
    });

    it('of what was projected, until it is not any more', async () => {
      const viewer = await watching();
      await assert.rejects(viewer.session.project('unknown', [{ kind: 'video', mediaId: undefined }]));
      viewer.session.send(layersOf(['unknown', 'cam1'].slice(1)));
      assert.deepEqual(namesOf(viewer), []);
      await viewer.session.project('cam1', [{ kind: 'video', mediaId: undefined }]);
      viewer.session.send(layersOf(['cam1']));
      assert.deepEqual(namesOf(viewer), ['layers']);
      await viewer.session.unproject(['0']);
      viewer.session.send(layersOf(['cam1', 'cam2']));
      assert.deepEqual(namesOf(viewer), ['layers']);
    });

    it('not before it has its media', () => {
      const viewer = server.viewer();
      viewer.session.send(layersOf([null]));
      assert.deepEqual(namesOf(viewer), []);
    });
  });

  describe('reports', () => {
    const REPORT = { packets: 90, lost: 10, roundTrip: 0.05 };

    it('what the visitor saw, until its end', () => {
      const reported = server.emitted('reported');
      const { session } = server.viewer();
      assert.equal(session.reportSeconds, 5);
      session.report(REPORT, 'phone');
      session.end();
      session.report(REPORT, 'phone');
      assert.deepEqual(reported, [[REPORT, 'phone']]);
    });

    it('what the receiver reports of its media say', async () => {
      const reported = server.emitted('reported');
      const { session } = server.viewer();
      await session.view(sdpOffer());
      const [mediaId] = server.engine.viewerIds('acme/main');
      server.engine.emit('network', mediaId!, { packets: 100, lost: 10, roundTripMs: 50 });
      server.engine.emit('network', mediaId!, { packets: 1, lost: 2, roundTripMs: undefined });
      server.engine.emit('network', 'of nobody', { packets: 1, lost: 2, roundTripMs: undefined });
      assert.deepEqual(reported, [
        [REPORT, 'unknown'],
        [{ packets: 0, lost: 2, roundTrip: undefined }, 'unknown'],
      ]);
    });

    it('nothing where no reports are wanted', () => {
      server = new OpenedSessions();
      const reported = server.emitted('reported');
      const { session } = server.viewer();
      session.report(REPORT, 'phone');
      assert.deepEqual([session.reportSeconds, reported], [undefined, []]);
    });
  });
});
