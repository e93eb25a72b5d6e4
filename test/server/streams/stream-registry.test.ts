import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import type { MediaEngineEvents } from '../../../server/media/media-engine.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher, aWish, aViewer } from '../../support/member.js';

const streamId = 'acme/main';

describe('a place on a stream', () => {
  let now: number;
  let streams: StreamRegistry;

  beforeEach(() => {
    now = 1_000_000;
    streams = new StreamRegistry(new EventEmitter<MediaEngineEvents>(), { resumeWithinMs: 10_000, now: () => now });
  });

  const publish = (sourceId: string | null, sessionKey = `key of ${sourceId}`) => {
    const publisher = aPublisher({ sessionKey });
    assert.ok(streams.claim(streamId, publisher, aWish({ sourceId, resumable: true })));
    return publisher;
  };
  const taken = (wanted: Parameters<StreamRegistry['sourceAvailability']>[1] = {}) =>
    streams.sourceAvailability(streamId, wanted).taken;

  it('is free where nobody publishes, though many wait', () => {
    streams.join(streamId, aViewer());
    assert.deepEqual(streams.sourceAvailability(streamId, {}), { taken: false, freeInMs: undefined, resumes: null });
  });

  it('is taken for all who do not name a source, by a main source that is alone', () => {
    publish(null);
    assert.equal(taken(), true);
    assert.equal(taken({ sourceId: null }), true);
    assert.equal(taken({ sourceId: 'cam1' }), false);
  });

  it('is free for who does not name a source, where any has an id: which one he is decides later', () => {
    publish('cam1');
    assert.equal(taken(), false);
    publish(null);
    assert.equal(taken(), false);
    assert.equal(taken({ sourceId: null }), true);
    assert.equal(taken({ sourceId: 'cam1' }), true);
    assert.equal(taken({ sourceId: 'cam2' }), false);
  });

  it('is his who shows the key of its session, of whatever source', () => {
    publish(null);
    const camera = publish('cam1');
    const place = streams.sourceAvailability(streamId, { sessionKey: 'key of cam1' });
    assert.deepEqual(place, { taken: false, freeInMs: undefined, resumes: camera.id });
    assert.equal(streams.sourceAvailability(streamId, { sessionKey: 'key of cam2', sourceId: null }).taken, true);
  });

  it('tells how soon it is free where its broadcaster is lost, and not while he is there', () => {
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

  it('is stopped with every other of the stream, and of the account', () => {
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

  it('names the tokens of every source', () => {
    publish(null);
    streams.claim(streamId, aPublisher({ tokenId: 7 }), aWish({ sourceId: 'cam1', resumable: true }));
    assert.deepEqual(streams.liveTokenIds('acme', streamId), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme'), [1, 7]);
    assert.deepEqual(streams.liveTokenIds('acme', 'acme/other'), []);
  });
});
