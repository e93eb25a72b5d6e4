import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type { StreamLeases } from '../../../server/streams/stream-leases.js';
import { END_TOLD_FOR_MS, type DeclaredEnd } from '../../../server/streams/declared-ends.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import type { StreamElsewhere, StreamsElsewhere } from '../../../server/streams/streams-elsewhere.js';
import type { StreamEvent } from '../../../server/streams/stream-event.js';
import { aPublisher, claimRequest, aViewer, dataOf, namesOf } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const streamId = streamIdOf('acme', 'main');

describe('StreamRegistry', () => {
  let now: number;
  let engine: EventEmitter<MediaEngineEvents>;
  let streams: StreamRegistry;

  beforeEach(() => {
    now = 1_000_000;
    engine = new EventEmitter();
    streams = new StreamRegistry(engine, { resumeWithinMs: 10_000, now: () => now });
  });

  const publish = (sourceId: string | null, sessionKey = `key of ${sourceId}`) => {
    const publisher = aPublisher({ sessionKey });
    assert.ok(streams.claim(streamId, publisher, claimRequest({ sourceId, resumable: true })));
    return publisher;
  };
  const taken = (request: Parameters<StreamRegistry['sourceAvailability']>[1] = {}) =>
    streams.sourceAvailability(streamId, request).taken;

  it('reports a source as free while only viewers wait', () => {
    streams.join(streamId, aViewer());
    assert.deepEqual(streams.sourceAvailability(streamId, {}), {
      taken: false,
      freeInMs: undefined,
      resumes: null,
    });
  });

  it('refuses a publisher that names no source while the main source is the only one', () => {
    publish(null);
    assert.equal(taken(), true);
    assert.equal(taken({ sourceId: null }), true);
    assert.equal(taken({ sourceId: 'cam1' }), false);
  });

  it('lets in a publisher that names no source beside a named source: its publish command names the source', () => {
    publish('cam1');
    assert.equal(taken(), false);
    publish(null);
    assert.equal(taken(), false);
    assert.equal(taken({ sourceId: null }), true);
    assert.equal(taken({ sourceId: 'cam1' }), true);
    assert.equal(taken({ sourceId: 'cam2' }), false);
  });

  it('gives a source to the client that shows the session key, whatever source it asks for', () => {
    publish(null);
    const camera = publish('cam1');
    const availability = streams.sourceAvailability(streamId, { sessionKey: 'key of cam1' });
    assert.deepEqual(availability, { taken: false, freeInMs: undefined, resumes: camera.id });
    assert.equal(streams.sourceAvailability(streamId, { sessionKey: 'key of cam2', sourceId: null }).taken, true);
  });

  it('reports when the lease of a lost publisher ends, and nothing while the publisher is connected', () => {
    const publisher = publish(null);
    assert.equal(streams.sourceAvailability(streamId, {}).freeInMs, undefined);
    publisher.suspended = true;
    streams.holdLease(streamId, publisher.id);
    now += 3_000;
    assert.equal(streams.sourceAvailability(streamId, {}).freeInMs, 7_000);
    now += 60_000;
    assert.equal(streams.sourceAvailability(streamId, {}).freeInMs, 0);
    streams.release(streamId, publisher.id);
  });

  it('stops every publisher of a stream or of an account', async () => {
    const sources = [publish(null), publish('cam1')];
    assert.equal(await streams.stop('acme', 'main'), true);
    assert.deepEqual(
      sources.map(({ stopped }) => stopped),
      [['stopped_by_owner'], ['stopped_by_owner']],
    );
    assert.equal(await streams.stopAll('acme'), 2);
    assert.equal(await streams.stopAll('acm'), 0);
    assert.equal(await streams.stop('acme', 'other'), false);
  });

  it('has the state of a stream from the media engine', () => {
    const news: string[] = [];
    streams.on('news', ({ name }) => news.push(name));
    const publisher = aPublisher({ codec: 'vp8' });
    streams.claim(streamId, publisher, claimRequest());
    const sourceNow = () => streams.publisherOf(streamId, null);
    assert.deepEqual(
      [sourceNow(), streams.stateOf(streamId).live],
      [{ tokenId: 1, codec: 'vp8', isLive: false }, false],
    );
    assert.deepEqual([streams.liveStreamsHere('acme'), streams.liveSinceOf(streamId)], [[], undefined]);
    engine.emit('live', streamId, null, ['video']);
    assert.deepEqual([sourceNow()?.isLive, streams.stateOf(streamId).live], [true, true]);
    assert.equal(streams.liveSinceOf(streamId), now);
    assert.deepEqual(
      streams.liveStreamsHere('acme').map((status) => [status.streamId, status.sources[0]?.tracks]),
      [[streamId, ['video']]],
    );
    engine.emit('updated', streamId, null, ['video', 'audio']);
    assert.deepEqual(streams.liveStreamsHere()[0]?.sources[0]?.tracks, ['video', 'audio']);
    engine.emit('ended', streamId, null);
    assert.deepEqual([streams.stateOf(streamId).live, news], [false, ['started', 'ended']]);
    assert.deepEqual([streams.liveStreamsHere(), streams.liveSinceOf(streamId)], [[], undefined]);
  });

  it('is live until its last source ends', () => {
    const news: string[] = [];
    streams.on('news', ({ name }) => news.push(name));
    for (const sourceId of [null, 'cam']) {
      streams.claim(streamId, aPublisher(), claimRequest({ sourceId }));
      engine.emit('live', streamId, sourceId, ['video']);
    }
    engine.emit('ended', streamId, null);
    assert.deepEqual([streams.stateOf(streamId).live, news], [true, ['started']]);
    engine.emit('ended', streamId, 'cam');
    assert.deepEqual([streams.stateOf(streamId).live, news], [false, ['started', 'ended']]);
  });

  it('tells a publisher who asks, and one who goes live, that its source is watched', () => {
    const viewer = aViewer();
    streams.join(streamId, viewer);
    const [publisher, camera] = [publish(null), publish('cam')];
    engine.emit('live', streamId, null, ['video']);
    assert.deepEqual(namesOf(publisher), ['active', 'viewercount']);
    engine.emit('live', streamId, 'cam', ['video']);
    streams.sendSnapshot(streamId, camera);
    assert.deepEqual(namesOf(camera), ['viewercount', 'active', 'active', 'viewercount']);
    assert.deepEqual(dataOf(camera, 'active')[0], {
      streamId,
      sourceId: 'cam',
      tracks: [{ trackId: '0', media: 'video' }],
    });
  });

  it('stops the publishers of an account with the reason', async () => {
    const [publisher, camera] = [publish(null), publish('cam')];
    assert.equal(await streams.stopAll('acme'), 2);
    assert.deepEqual([publisher.stopped, camera.stopped], [['stopped_by_owner'], ['stopped_by_owner']]);
  });

  it('has what was measured of a stream', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const bitrates: number[] = [];
    const publisher = aPublisher({ bitrateMeasured: (bitrate) => void bitrates.push(bitrate) });
    const viewer = aViewer();
    streams.claim(streamId, publisher, claimRequest());
    streams.join(streamId, viewer);
    engine.emit('live', streamId, null, ['video']);
    engine.emit('reception', streamId, null, { packets: 1, lost: 0, shed: 0, jitterMs: 0, bitrate: 9, codecs: {} });
    const size = { width: 640, height: 360, bitrate: 1_000, packets: 1, totalBytes: 1 };
    engine.emit('layers', streamId, null, [{ encodingId: '0', simulcastIndex: 0, active: true, ...size }]);
    t.mock.timers.tick(1_000);
    assert.deepEqual(bitrates, [9]);
    assert.equal(streams.liveStreamsHere()[0]?.sources[0]?.encodings[0]?.width, 640);
    assert.ok(namesOf(viewer).includes('layers-measured'));
  });

  it('shows the main source first, or else the first that is live', () => {
    assert.equal(streams.firstSourceOf(streamId), undefined);
    for (const sourceId of ['cam1', 'cam2', null]) publish(sourceId);
    const first = () => streams.firstSourceOf(streamId);
    assert.equal(first(), undefined);
    engine.emit('live', streamId, 'cam2', ['video']);
    assert.equal(first(), 'cam2');
    engine.emit('live', streamId, null, ['video']);
    assert.equal(first(), null);
  });

  it('knows nothing of a stream that nobody is in', () => {
    const viewer = aViewer();
    const publisher = aPublisher();
    assert.deepEqual(
      [streams.publisherOf(streamId, null), streams.migrateEvent(streamId), streams.seqOf(streamId)],
      [undefined, undefined, now],
    );
    assert.deepEqual(
      [streams.sessionsOf(streamId), streams.viewersOf(streamId), streams.hasViewers(streamId)],
      [[], [], false],
    );
    streams.sendSnapshot(streamId, publisher);
    streams.sendRecording(streamId, null, { isRecording: true, fault: null });
    streams.sendPaused(streamId, viewer, ['1']);
    streams.sendWaiting(streamId, viewer);
    streams.holdLease(streamId, publisher.id);
    streams.release(streamId, publisher.id);
    streams.reachabilityChanged(streamId, viewer);
    streams.leave(streamId, viewer);
    streams.endRelay(streamId);
    streams.endRelayedExcept(streamId, new Set());
    streams.viewersElsewhereChanged(streamId);
    assert.deepEqual([viewer.received, publisher.received], [[], []]);
  });

  it('sends a member what concerns it alone', () => {
    const [viewer, other] = [aViewer(), aViewer()];
    for (const each of [viewer, other]) streams.join(streamId, each);
    const [publisher, camera] = [publish(null), publish('cam')];
    streams.sendPaused(streamId, viewer, ['1']);
    streams.sendWaiting(streamId, viewer);
    streams.sendRecording(streamId, 'cam', { isRecording: true, fault: null });
    streams.sendSnapshot(streamId, publisher);
    const own = (events: readonly StreamEvent[]) => events.slice(-2).map((event) => 'data' in event && event.data);
    assert.deepEqual(own(viewer.received), [{ streamId, mediaIds: ['1'] }, { streamId }]);
    assert.deepEqual(own(camera.received), [{ streamId, sourceId: 'cam', state: 'on', fault: null }]);
    assert.deepEqual([namesOf(publisher), namesOf(other)], [['viewercount'], ['viewercount']]);
    assert.equal(streams.migrateEvent(streamId)?.name, 'migrate');
    assert.equal(streams.seqOf(streamId), streams.migrateEvent(streamId)!.seq - 1);
  });

  it('has the members of a stream until they leave, and tells when they change', () => {
    const told: string[] = [];
    streams.on('viewers-changed', () => told.push('viewers'));
    streams.on('publishers-changed', () => told.push('publishers'));
    const viewer = aViewer();
    streams.join(streamId, viewer);
    const publisher = publish(null);
    assert.equal(streams.claim(streamId, aPublisher(), claimRequest()), undefined);
    assert.deepEqual([streams.sessionsOf(streamId), streams.viewersOf(streamId)], [[publisher.id], [viewer]]);
    assert.equal(streams.hasViewers(streamId), true);
    streams.leave(streamId, viewer);
    streams.release(streamId, publisher.id);
    assert.deepEqual(told, ['viewers', 'publishers', 'viewers', 'publishers']);
    assert.deepEqual([streams.sessionsOf(streamId), streams.hasViewers(streamId)], [[], false]);
    assert.equal(streams.migrateEvent(streamId), undefined, 'it is forgotten');
  });

  it('counts the publishers with some tokens', () => {
    publish(null);
    streams.claim(streamId, aPublisher({ tokenId: 7 }), claimRequest({ sourceId: 'cam1' }));
    assert.deepEqual(
      [[1], [1, 7], [8]].map((ids) => streams.countPublishers('acme', ids)),
      [1, 2, 0],
    );
  });

  it('lists the publish tokens that are in use', () => {
    publish(null);
    streams.claim(streamId, aPublisher({ tokenId: 7 }), claimRequest({ sourceId: 'cam1', resumable: true }));
    assert.deepEqual(streams.liveTokenIds('acme', streamId), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme'), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme', streamIdOf('acme', 'other')), []);
  });
});

describe('StreamRegistry of the only server of a database', () => {
  it('tells viewers who come within ten minutes after a declared end, until the stream is live again', () => {
    let now = 1_000_000;
    const engine = new EventEmitter<MediaEngineEvents>();
    const streams = new StreamRegistry(engine, { now: () => now });
    const publish = () => {
      const publisher = aPublisher();
      streams.claim(streamId, publisher, claimRequest());
      engine.emit('live', streamId, null, ['video']);
      return publisher;
    };
    const toldLate = () => {
      const viewer = aViewer();
      streams.join(streamId, viewer);
      streams.leave(streamId, viewer);
      return dataOf(viewer, 'inactive');
    };
    streams.release(streamId, publish().id, true);
    now += END_TOLD_FOR_MS - 1;
    assert.deepEqual(toldLate(), [{ streamId, sourceId: null, declared: true, endedOn: 1_000_000 }]);
    now += 1;
    assert.deepEqual(toldLate(), []);
    streams.release(streamId, publish().id, true);
    const lost = publish();
    assert.deepEqual(toldLate(), []);
    streams.release(streamId, lost.id);
    assert.deepEqual(toldLate(), []);
  });
});

/** What other servers have, and every lease of this one. */
class FakeElsewhere extends EventEmitter<{ changed: [streamId: string] }> implements StreamsElsewhere {
  readonly streams = new Map<string, StreamElsewhere>();
  readonly ends = new Map<string, DeclaredEnd>();

  /** The stream is over on the server that had it. */
  end(endedOn?: number): void {
    this.streams.delete(streamId);
    if (endedOn !== undefined) this.ends.set(streamId, { endedOn, tokenId: 7 });
    this.emit('changed', streamId);
  }

  endOf(id: string): DeclaredEnd | undefined {
    return this.ends.get(id);
  }

  put(sourceIds: readonly (string | null)[], overrides: Partial<StreamElsewhere> = {}): void {
    const sources = sourceIds.map((sourceId) => ({
      sourceId,
      sessionId: `session of ${sourceId}`,
      tokenId: 7,
      liveSince: 5_000,
      freeInMs: undefined,
      isInterrupted: false,
      isOf: (sessionKey: string) => sessionKey === `key of ${sourceId}`,
    }));
    const publishers = sources.map(({ tokenId }) => ({ tokenId }));
    const url = 'https://other.example.com';
    const node = { id: 'other', epoch: 1 };
    const live = { live: true, liveSince: 5_000 };
    this.streams.set(streamId, { streamId, node, url, ...live, publishers, sources, ...overrides });
    this.emit('changed', streamId);
  }

  find(id: string): StreamElsewhere | undefined {
    return this.streams.get(id);
  }

  ofAccount(accountId: string): readonly StreamElsewhere[] {
    return [...this.streams.values()].filter((stream) => stream.streamId.startsWith(`${accountId}/`));
  }

  refreshIfStale(): undefined {
    return undefined;
  }
}

describe('StreamRegistry, beside other servers', () => {
  let elsewhere: FakeElsewhere;
  let engine: EventEmitter<MediaEngineEvents>;
  let streams: StreamRegistry;
  let told: string[];
  let stops: (string | undefined)[];

  beforeEach(() => {
    [elsewhere, told, stops] = [new FakeElsewhere(), [], []];
    const leases: StreamLeases = {
      claim: async ({ sourceId }) => (sourceId === 'taken' ? 'taken' : 'held'),
      changed: ({ isLive, keptForMs, isInterrupted }) =>
        void told.push(`${isLive ? 'live' : 'not live'} ${keptForMs}${isInterrupted ? ' interrupted' : ''}`),
      release: ({ sessionId }, endsStream) => void told.push(`${endsStream ? 'ended' : 'released'} ${sessionId}`),
      requestStop: async (_accountId, streamName) => stops.push(streamName),
    };
    engine = new EventEmitter();
    streams = new StreamRegistry(engine, { now: () => 1_000_000, leases, elsewhere });
    streams.on('publishers-changed', (id) => told.push(`changed ${id}`));
  });

  it('answers for the streams of all servers', () => {
    elsewhere.put([null]);
    assert.deepEqual(streams.stateOf(streamId).live, true);
    assert.deepEqual(streams.stateOf(streamId).publishers, [{ tokenId: 7 }]);
    assert.equal(streams.liveSinceOf(streamId), 5_000);
    assert.deepEqual(streams.liveTokenIds('acme'), [7]);
    assert.equal(streams.countPublishers('acme', [7]), 1);
    assert.deepEqual(streams.liveStreamsHere('acme'), []);
    assert.deepEqual(told, ['changed acme/main']);
  });

  it('refuses a name that another server has, and lets its client resume', () => {
    elsewhere.put([null]);
    const availability = (request: Parameters<StreamRegistry['sourceAvailability']>[1]) =>
      streams.sourceAvailability(streamId, request);
    assert.equal(availability({}).taken, true);
    assert.equal(availability({ sourceId: 'cam1' }).taken, false);
    assert.deepEqual(availability({ sessionKey: 'key of null' }), {
      taken: false,
      freeInMs: undefined,
      resumes: 'session of null',
    });
  });

  it('says where a stream is, unless this server has it too', () => {
    assert.equal(streams.elsewhere(streamId), undefined);
    elsewhere.put([null]);
    assert.equal(streams.elsewhere(streamId)?.url, 'https://other.example.com');
    assert.ok(streams.claim(streamId, aPublisher(), claimRequest({ sourceId: 'cam1' })));
    assert.equal(streams.elsewhere(streamId), undefined);
    assert.deepEqual(streams.stateOf(streamId).publishers.length, 2);
  });

  it('tells what becomes of a source, and releases it', () => {
    const publisher = aPublisher();
    streams.claim(streamId, publisher, claimRequest({ resumable: true }));
    publisher.suspended = true;
    streams.holdLease(streamId, publisher.id);
    streams.release(streamId, publisher.id);
    assert.deepEqual(told, ['changed acme/main', 'not live 10000', `released ${publisher.id}`, 'changed acme/main']);
  });

  it('tells that a broadcast was meant to end, with its last live source', () => {
    const [camera, slides] = [aPublisher(), aPublisher()];
    streams.claim(streamId, camera, claimRequest());
    streams.claim(streamId, slides, claimRequest({ sourceId: 'slides' }));
    engine.emit('live', streamId, null, ['video']);
    engine.emit('live', streamId, 'slides', ['video']);
    told.length = 0;
    streams.release(streamId, slides.id, true);
    streams.release(streamId, camera.id, true);
    const silent = aPublisher();
    streams.claim(streamId, silent, claimRequest());
    streams.release(streamId, silent.id, true);
    const releases = told.filter((text) => text.startsWith('ended') || text.startsWith('released'));
    assert.deepEqual(releases, [`released ${slides.id}`, `ended ${camera.id}`, `released ${silent.id}`]);
  });

  it('tells that a source is interrupted, and that it is back', () => {
    streams.claim(streamId, aPublisher(), claimRequest());
    engine.emit('live', streamId, null, ['video']);
    told.length = 0;
    const hear = (packets: number) =>
      engine.emit('reception', streamId, null, { packets, lost: 0, shed: 0, jitterMs: 0, bitrate: 0, codecs: {} });
    for (const packets of [1, 0, 0, 0, 1, 1]) hear(packets);
    assert.deepEqual(told, ['live null interrupted', 'live null']);
  });

  it('shows a declared end on any server to viewers who were told of none, and to those who come later', () => {
    const early = aViewer();
    streams.join(streamId, early);
    elsewhere.end(999_000);
    elsewhere.end();
    const late = aViewer();
    streams.join(streamId, late);
    const end = { streamId, sourceId: null, declared: true, endedOn: 999_000 };
    assert.deepEqual([dataOf(early, 'inactive'), dataOf(late, 'inactive')], [[end], [end]]);
  });

  it('shows no declared end of an earlier broadcast to viewers of one that was lost', () => {
    const viewer = aViewer();
    streams.join(streamId, viewer);
    const publisher = aPublisher();
    streams.claim(streamId, publisher, claimRequest());
    engine.emit('live', streamId, null, ['video']);
    streams.release(streamId, publisher.id);
    elsewhere.end(999_000);
    assert.deepEqual(dataOf(viewer, 'inactive'), [{ streamId, sourceId: null }]);
  });

  it('tells that a publisher has come back', () => {
    const lost = aPublisher();
    streams.claim(streamId, lost, claimRequest({ resumable: true }));
    lost.suspended = true;
    streams.holdLease(streamId, lost.id);
    told.length = 0;
    streams.claim(streamId, aPublisher(), claimRequest({ resumable: true, resumes: lost.id }));
    assert.deepEqual(told, ['not live null', 'changed acme/main']);
  });

  it('stops a stream on the other servers as well', async () => {
    assert.equal(await streams.stop('acme', 'main'), true);
    assert.equal(await streams.stopAll('acme'), 2);
    assert.deepEqual(stops, ['main', undefined]);
  });

  it('stops every publisher of this server when it may not keep them, or some', () => {
    const [publisher, camera] = [aPublisher(), aPublisher()];
    streams.claim(streamId, publisher, claimRequest());
    streams.claim(streamId, camera, claimRequest({ sourceId: 'cam' }));
    streams.stopUnleased([camera.id]);
    assert.deepEqual([publisher.stopped, camera.stopped], [[], ['database_unavailable']]);
    streams.stopUnleased();
    assert.deepEqual(publisher.stopped, ['database_unavailable']);
  });

  it('is live if any server has it live', () => {
    streams.claim(streamId, aPublisher(), claimRequest({ sourceId: 'cam' }));
    elsewhere.put([null], { live: false, liveSince: undefined });
    assert.equal(streams.stateOf(streamId).live, false);
    elsewhere.put([null]);
    assert.equal(streams.stateOf(streamId).live, true);
  });

  it('asks the other servers for a source, and tells them what becomes of it', async () => {
    const publisher = aPublisher();
    streams.claim(streamId, publisher, claimRequest());
    assert.equal(await streams.lease(streamId, publisher, null), 'held');
    assert.equal(await streams.lease(streamId, publisher, 'taken'), 'taken');
    engine.emit('live', streamId, null, ['video']);
    assert.deepEqual(told, ['changed acme/main', 'live null']);
  });

  it('reads a stream from the database only if this server has no source of it', () => {
    const asked: string[] = [];
    Object.assign(elsewhere, { refreshIfStale: (id: string) => void asked.push(id) });
    streams.refreshIfStale(streamId);
    streams.claim(streamId, aPublisher(), claimRequest());
    streams.refreshIfStale(streamId);
    assert.deepEqual(asked, [streamId]);
  });
});
