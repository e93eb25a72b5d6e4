import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Lease, StreamEnd, StreamName } from '../../../server/cluster/cluster-store.js';
import { ClusterStreams } from '../../../server/cluster/cluster-streams.js';
import type { LeaseHolder } from '../../../server/streams/stream-leases.js';
import { sessionKeyHash } from '../../../server/cluster/session-key-hash.js';
import { END_TOLD_FOR_MS } from '../../../server/streams/declared-ends.js';
import { until } from '../../support/media/until.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const OTHER = { id: 'other', url: 'https://other.example.com', epoch: 1 };

function aLease(overrides: Partial<Lease> = {}): Lease {
  return {
    accountId: 'acme',
    streamName: 'main',
    sourceId: null,
    sessionId: 'session',
    sessionKeyHash: sessionKeyHash('the key'),
    tokenId: 7,
    liveOn: null,
    keptForMs: null,
    isInterrupted: false,
    stopRequested: false,
    node: OTHER,
    ...overrides,
  };
}

/** The leases of a database that can be away. */
class FakeStore {
  rows: Lease[] = [];
  ended: StreamEnd[] = [];
  isAway = false;
  whileReading: () => void = () => {};
  /** When the answers to reads that begin now arrive. */
  answers: Promise<void> = Promise.resolve();
  /** What each read asked for; undefined: everything. */
  readonly reads: (readonly StreamName[] | undefined)[] = [];

  async leases(streams?: readonly StreamName[]): Promise<readonly Lease[]> {
    this.reads.push(streams);
    const found = this.rows.filter(
      ({ accountId, streamName }) =>
        !streams || streams.some((each) => each.accountId === accountId && each.streamName === streamName),
    );
    this.whileReading();
    await this.answers;
    if (this.isAway) throw new Error('the database does not answer');
    return found;
  }

  async ends(streams?: readonly StreamName[]): Promise<readonly StreamEnd[]> {
    const names = new Set(streams?.map(({ streamName }) => streamName));
    return this.ended.filter(({ streamName }) => !streams || names.has(streamName));
  }
}

describe('ClusterStreams', () => {
  let store: FakeStore;
  let streams: ClusterStreams;
  let now: number;
  let changed: string[];
  /** The sources that this node has claimed. */
  let held: LeaseHolder[];
  let lost: string[];

  beforeEach(async () => {
    [store, now, changed, held, lost] = [new FakeStore(), 1_000, [], [], []];
    streams = new ClusterStreams({ nodeId: 'own', store, monotonicNow: () => now, now: () => now, held: () => held });
    streams.on('own-leases-lost', (sessionIds) => lost.push(...sessionIds));
    streams.on('changed', (streamId) => changed.push(streamId));
    await streams.start();
  });

  const report = async (...rows: Lease[]) => {
    store.rows = rows;
    streams.streamChanged({ accountId: 'acme', streamName: 'main' });
    const reads = store.reads.length;
    await until('it is read', () => store.reads.length > reads);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('has a stream of another node, live from when its first source is', async () => {
    await report(aLease(), aLease({ sourceId: 'cam1', liveOn: 2_000 }), aLease({ sourceId: 'cam2', liveOn: 1_000 }));
    const found = streams.find(streamIdOf('acme', 'main'));
    assert.deepEqual([found?.url, found?.live, found?.liveSince], [OTHER.url, true, 1_000]);
    assert.deepEqual(found?.publishers, [{ tokenId: 7 }, { tokenId: 7 }, { tokenId: 7 }]);
    assert.deepEqual(streams.ofAccount('acme').length, 1);
    assert.deepEqual(streams.ofAccount('acm').length, 0);
  });

  it('knows the client of a session by its key, and how soon a kept source is free', async () => {
    await report(aLease({ keptForMs: 10_000 }));
    const [source] = streams.find(streamIdOf('acme', 'main'))!.sources;
    assert.deepEqual([source!.isOf('the key'), source!.isOf('another key')], [true, false]);
    assert.equal(source!.freeInMs, 10_000);
    now += 4_000;
    assert.equal(source!.freeInMs, 6_000);
    now += 60_000;
    assert.equal(source!.freeInMs, 0);
  });

  it('reports a change once, and not what it knows already', async () => {
    await report(aLease());
    await report(aLease());
    await report(aLease({ liveOn: 1 }));
    await report();
    assert.deepEqual(changed, ['acme/main', 'acme/main', 'acme/main']);
    assert.equal(streams.find(streamIdOf('acme', 'main')), undefined);
  });

  it('leaves out the streams of its own node, and reports their leases', async () => {
    const own: string[] = [];
    streams.on('own-lease', ({ sessionId }) => own.push(sessionId));
    await report(aLease({ node: { id: 'own', url: undefined, epoch: 1 } }));
    assert.deepEqual([streams.find(streamIdOf('acme', 'main')), own], [undefined, ['session']]);
  });

  const ownLease = aLease({ node: { id: 'own', url: undefined, epoch: 1 } });
  const holder: LeaseHolder = { streamId: streamIdOf('acme', 'main'), sourceId: null, sessionId: 'session' };

  it('reports no lease of its own node that the database has, or that is of a stream which was not read', async () => {
    held = [holder, { ...holder, streamId: streamIdOf('acme', 'other'), sessionId: 'another' }];
    await report(ownLease);
    assert.deepEqual(lost, []);
  });

  it('reports a lease of its own node that the database has lost, as a replica without it may have taken over', async () => {
    held = [holder];
    await report(ownLease);
    store.rows = [];
    streams.lost();
    streams.restored();
    await until('it is reported', () => lost.length > 0);
    assert.deepEqual(lost, ['session']);
  });

  it('reports no lease that was claimed or released during the read', async () => {
    store.whileReading = () => (held = [holder]);
    await report();
    store.whileReading = () => (held = [{ ...holder, sessionId: 'next' }]);
    await report();
    assert.deepEqual(lost, []);
  });

  it('has the declared ends of streams of all nodes, until one is live, or so long ago that it is no news', async () => {
    const end = { accountId: 'acme', streamName: 'main', tokenId: 7, endedOn: now };
    const known = () => streams.endOf(streamIdOf('acme', 'main'))?.endedOn;
    store.ended = [end];
    await report();
    assert.deepEqual([known(), changed], [now, ['acme/main']]);
    await report();
    assert.equal(changed.length, 1, 'nothing new');
    store.ended = [];
    await report(aLease({ liveOn: 2_000 }));
    assert.equal(known(), undefined);
    store.ended = [{ ...end, endedOn: 3_000 }];
    await report();
    assert.deepEqual([known(), changed.length], [3_000, 3]);
    now = 3_000 + END_TOLD_FOR_MS;
    assert.equal(known(), undefined);
  });

  it('reports no lease that its session gave back and claimed again during the read', async () => {
    held = [holder];
    store.whileReading = () => (held = [{ ...holder }]);
    await report();
    assert.deepEqual(lost, []);
  });

  it('does not return to what its first read found before a change', async () => {
    const slow = Promise.withResolvers<void>();
    store.answers = slow.promise;
    const starting = new ClusterStreams({
      nodeId: 'own',
      store,
      monotonicNow: () => now,
      now: () => now,
      held: () => held,
    });
    const started = starting.start();
    await until('it reads', () => store.reads.length === 2);
    store.answers = Promise.resolve();
    store.rows = [aLease()];
    starting.streamChanged({ accountId: 'acme', streamName: 'main' });
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    await started;
    await until('the change is read', () => starting.find(streamIdOf('acme', 'main')) !== undefined);
  });

  it('is not current after its start, if changes are missed since before', async () => {
    const starting = new ClusterStreams({
      nodeId: 'own',
      store,
      monotonicNow: () => now,
      now: () => now,
      held: () => held,
    });
    starting.lost();
    await starting.start();
    assert.notEqual(starting.refreshIfStale(streamIdOf('acme', 'main')), undefined);
    starting.restored();
    await until('it is current', () => starting.refreshIfStale(streamIdOf('acme', 'main')) === undefined);
  });

  it('reads many streams that change together in one statement', async () => {
    const reads = store.reads.length;
    for (let index = 0; index < 100; index += 1) streams.streamChanged({ accountId: 'acme', streamName: `s${index}` });
    await until('they are read', () => store.reads.length > reads);
    assert.deepEqual(
      store.reads.slice(reads).map((read) => read?.length),
      [100],
    );
  });

  it('reads through while changes may be missed, and everything afterwards', async () => {
    assert.equal(streams.refreshIfStale(streamIdOf('acme', 'main')), undefined);
    streams.lost();
    store.rows = [aLease()];
    await streams.refreshIfStale(streamIdOf('acme', 'main'));
    assert.ok(streams.find(streamIdOf('acme', 'main')));
    store.rows = [];
    streams.restored();
    await until('it caught up', () => streams.find(streamIdOf('acme', 'main')) === undefined);
    await until('it is current', () => streams.refreshIfStale(streamIdOf('acme', 'main')) === undefined);
  });

  it('does not return to what a slow read found before everything was read again', async () => {
    streams.lost();
    store.rows = [aLease()];
    const answer = Promise.withResolvers<void>();
    store.answers = answer.promise;
    const slow = streams.refreshIfStale(streamIdOf('acme', 'main'));
    store.answers = Promise.resolve();
    store.rows = [];
    streams.restored();
    await until('it is current', () => streams.refreshIfStale(streamIdOf('acme', 'main')) === undefined);
    answer.resolve();
    await slow;
    assert.equal(streams.find(streamIdOf('acme', 'main')), undefined);
  });

  it('reads everything again after a read failed, and reads through until then', async () => {
    store.isAway = true;
    store.rows = [aLease()];
    streams.streamChanged({ accountId: 'acme', streamName: 'main' });
    await until(
      'it is not current',
      () => streams.refreshIfStale(streamIdOf('acme', 'other'))?.catch(() => {}) !== undefined,
    );
    store.isAway = false;
    await until('it caught up', () => streams.find(streamIdOf('acme', 'main')) !== undefined);
    await streams.close();
  });

  it('reads the streams of a node again that is lost', async () => {
    await report(aLease());
    store.rows = [];
    streams.expire([{ ...OTHER, epoch: 1, isAlive: true }]);
    assert.ok(streams.find(streamIdOf('acme', 'main')));
    streams.expire([{ ...OTHER, epoch: 1, isAlive: false }]);
    await until('it is gone', () => streams.find(streamIdOf('acme', 'main')) === undefined);
  });
});
