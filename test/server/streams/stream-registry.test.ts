import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import type { MediaEngineEvents } from '../../../server/media/media-engine.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher, claimRequest, aViewer } from '../../support/member.js';

const streamId = 'acme/main';

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

  it('stops every publisher of a stream or of an account', () => {
    const sources = [publish(null), publish('cam1')];
    assert.equal(streams.stop(streamId), true);
    assert.deepEqual(
      sources.map(({ stopped }) => stopped),
      [['stopped_by_owner'], ['stopped_by_owner']],
    );
    assert.equal(streams.stopAll('acme'), 2);
    assert.equal(streams.stopAll('acm'), 0);
    assert.equal(streams.stop('acme/other'), false);
  });

  it('lists the publish tokens that are in use', () => {
    publish(null);
    streams.claim(streamId, aPublisher({ tokenId: 7 }), claimRequest({ sourceId: 'cam1', resumable: true }));
    assert.deepEqual(streams.liveTokenIds('acme', streamId), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme'), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme', 'acme/other'), []);
  });
});
