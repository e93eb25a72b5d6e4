import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type { StreamLeases } from '../../../server/streams/stream-leases.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import type { StreamElsewhere, StreamsElsewhere } from '../../../server/streams/streams-elsewhere.js';
import { aPublisher, claimRequest, aViewer } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const streamId = streamIdOf('acme', 'main');

describe('StreamRegistry', () => {
  let now: number;
  let streams: StreamRegistry;

  beforeEach(() => {
    now = 1_000_000;
    streams = new StreamRegistry(new EventEmitter<MediaEngineEvents>(), { resumeWithinMs: 10_000, now: () => now });
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
    assert.deepEqual(streams.sourceAvailability(streamId, {}), { taken: false, freeInMs: undefined, resumes: null });
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

  it('lists the publish tokens that are in use', () => {
    publish(null);
    streams.claim(streamId, aPublisher({ tokenId: 7 }), claimRequest({ sourceId: 'cam1', resumable: true }));
    assert.deepEqual(streams.liveTokenIds('acme', streamId), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme'), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme', streamIdOf('acme', 'other')), []);
  });
});

/** What other servers have, and every lease of this one. */
class FakeElsewhere extends EventEmitter<{ changed: [streamId: string] }> implements StreamsElsewhere {
  readonly streams = new Map<string, StreamElsewhere>();

  put(sourceIds: readonly (string | null)[], overrides: Partial<StreamElsewhere> = {}): void {
    const sources = sourceIds.map((sourceId) => ({
      sourceId,
      sessionId: `session of ${sourceId}`,
      tokenId: 7,
      liveSince: 5_000,
      freeInMs: undefined,
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
  let streams: StreamRegistry;
  let told: string[];
  let stops: (string | undefined)[];

  beforeEach(() => {
    [elsewhere, told, stops] = [new FakeElsewhere(), [], []];
    const leases: StreamLeases = {
      claim: async ({ sourceId }) => (sourceId === 'taken' ? 'taken' : 'held'),
      changed: ({ isLive, keptForMs }) => void told.push(`${isLive ? 'live' : 'not live'} ${keptForMs}`),
      release: ({ sessionId }) => void told.push(`released ${sessionId}`),
      requestStop: async (_accountId, streamName) => stops.push(streamName),
    };
    const engine = new EventEmitter<MediaEngineEvents>();
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

  it('stops a stream on the other servers as well', async () => {
    assert.equal(await streams.stop('acme', 'main'), true);
    assert.equal(await streams.stopAll('acme'), 2);
    assert.deepEqual(stops, ['main', undefined]);
  });

  it('stops every publisher of this server when it may not keep them', () => {
    const publisher = aPublisher();
    streams.claim(streamId, publisher, claimRequest());
    streams.stopUnleased();
    assert.deepEqual(publisher.stopped, ['database_unavailable']);
  });
});
