import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { ClusterLeases } from '../../../server/cluster/cluster-leases.js';
import { ClusterNode } from '../../../server/cluster/cluster-node.js';
import { DatabaseClock } from '../../../server/cluster/database-clock.js';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS } from '../../../server/cluster/lease-times.js';
import { leaseMetrics } from '../../../server/metrics/lease-metrics.js';
import { SOLE_SERVER_LEASES } from '../../../server/streams/stream-leases.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import { valuesIn } from '../../support/metrics.js';
import { ModelClusterStore } from './simulation/model-cluster-store.js';
import { EPOCH, VirtualTime } from './simulation/virtual-time.js';
import { aClaim, streamLeasesContract } from './stream-leases.contract.js';

let time: VirtualTime;
let restore: () => void;
let store: ModelClusterStore;
beforeEach(() => {
  time = new VirtualTime();
  restore = time.install();
  store = new ModelClusterStore(
    () => EPOCH + time.now,
    () => undefined,
  );
});
afterEach(() => restore());

/** A node without a server, on one database with the others of the test. The database can be away for its leases. */
async function aNode(id = 'one') {
  const database = { isAway: false };
  const answer = <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      if (database.isAway) throw new Error('the database does not answer');
      return await call(...args);
    };
  };
  const monotonicNow = () => time.now;
  const clock = new DatabaseClock(() => EPOCH + time.now);
  const node = new ClusterNode({ identity: { id, url: 'https://one.example.com' }, store, clock, monotonicNow });
  const { claim, write, release, requestStop } = store;
  const leases = new ClusterLeases({
    node,
    store: {
      claim: answer(claim),
      write: answer(write),
      release: answer(release),
      requestStop: answer(requestStop),
    },
    monotonicNow,
  });
  await node.start();
  return { node, leases, database, settled: () => leases.flush() };
}

streamLeasesContract('the only server of a database', async () => ({
  leases: SOLE_SERVER_LEASES,
  settled: async () => undefined,
}));
streamLeasesContract('a node', () => aNode());

describe('nodes on one database', () => {
  const names = async () => (await store.leases()).map(({ streamName }) => streamName);

  it('join again with another epoch when their heartbeats were not taken for too long, without their leases', async () => {
    const { node, leases } = await aNode();
    const lost: number[] = [];
    leases.on('lost', (count) => lost.push(count));
    const held = aClaim({ streamId: streamIdOf('acme', 'lost') });
    assert.equal(await leases.claim(held), 'held');
    const { id, epoch } = node.epoch!;
    await store.join({ id, url: undefined, epoch: epoch + 1 });
    const late = aClaim();
    assert.equal(await leases.claim(late), 'unavailable');
    leases.release(late);
    await time.pass(2 * HEARTBEAT_MS);
    assert.deepEqual(lost, [1]);
    leases.release(held);
    await time.pass(EXPIRES_AFTER_MS);
    assert.ok((node.epoch?.epoch ?? 0) > epoch);
    assert.equal(await leases.claim(aClaim()), 'held');
  });

  it('report how claims ended, how many leases are held, and how long renewals take', async () => {
    const [{ node, leases }, other] = [await aNode(), await aNode('other')];
    const registry = new Registry();
    leaseMetrics(node, leases)(registry);
    const claim = aClaim();
    await leases.claim(claim);
    await other.leases.claim(aClaim({ streamId: streamIdOf('acme', 'theirs') }));
    const refused = aClaim({ streamId: streamIdOf('acme', 'theirs') });
    await leases.claim(refused);
    leases.release(refused);
    const valueOf = async (name: string) => valuesIn(await registry.metrics()).get(name);
    assert.equal(await valueOf('streamgate_leases'), 1);
    assert.equal(await valueOf('streamgate_lease_claim_seconds_count{outcome="held"}'), 1);
    assert.equal(await valueOf('streamgate_lease_claim_seconds_count{outcome="taken"}'), 1);
    await time.pass(HEARTBEAT_MS);
    assert.ok((await valueOf('streamgate_lease_renewal_seconds_count'))! > 0);
    assert.equal(await valueOf('streamgate_servers'), 2);
    leases.release(claim);
    assert.equal(await valueOf('streamgate_leases'), 0);
  });

  it('release a lease whose claim was executed though nobody received the answer', async () => {
    const { node, leases, settled } = await aNode();
    const lost = { ...aClaim(), accountId: 'acme', streamName: 'main', sessionKeyHash: 'hash' };
    await store.claim(node.epoch!, lost);
    await leases.claim(aClaim({ streamId: streamIdOf('acme', 'held') }));
    for (const lease of await store.leases()) leases.seen(lease);
    await settled();
    assert.deepEqual(await names(), ['held']);
  });

  it('release the lease of a lost session, if the claim of the session that resumed it was not executed', async () => {
    const [{ leases, database }, other] = [await aNode(), await aNode('other')];
    const lost = aClaim();
    assert.equal(await leases.claim(lost), 'held');
    const resumed = [1, 2].map(() => aClaim({ sessionKey: lost.sessionKey }));
    database.isAway = true;
    for (const claim of resumed) assert.equal(await leases.claim(claim), 'unavailable');
    database.isAway = false;
    leases.release(resumed.at(-1)!);
    await leases.flush();
    assert.deepEqual(await store.leases(), []);
    assert.equal(await other.leases.claim(aClaim()), 'held');
  });

  it('keep the lease of a session that resumed, when an attempt before was not executed', async () => {
    const { leases, database } = await aNode();
    const lost = aClaim();
    await leases.claim(lost);
    const [failed, resumed] = [1, 2].map(() => aClaim({ sessionKey: lost.sessionKey }));
    database.isAway = true;
    await leases.claim(failed!);
    database.isAway = false;
    assert.equal(await leases.claim(resumed!), 'held');
    leases.release(lost);
    leases.release(failed!);
    await leases.flush();
    const sessionIds = (await store.leases()).map(({ sessionId }) => sessionId);
    assert.deepEqual(sessionIds, [resumed!.sessionId]);
    assert.deepEqual(
      leases.held().map(({ sessionId }) => sessionId),
      [resumed!.sessionId],
    );
  });

  it('write what becomes of a source, and release it, when the database answers again', async () => {
    const { leases, database } = await aNode();
    const [kept, released] = ['kept', 'released'].map((name) => aClaim({ streamId: streamIdOf('acme', name) }));
    for (const claim of [kept!, released!]) await leases.claim(claim);
    database.isAway = true;
    leases.changed({ ...kept!, isLive: true, keptForMs: null, isInterrupted: false });
    leases.release(released!);
    await leases.flush();
    assert.deepEqual(await names(), ['kept', 'released']);
    database.isAway = false;
    await time.pass(HEARTBEAT_MS);
    const [found, ...others] = await store.leases();
    assert.deepEqual([found?.streamName, found?.liveOn !== null, others], ['kept', true, []]);
  });
});
