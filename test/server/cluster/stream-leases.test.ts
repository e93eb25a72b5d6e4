import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { ClusterLeases } from '../../../server/cluster/cluster-leases.js';
import { ClusterNode } from '../../../server/cluster/cluster-node.js';
import { DatabaseClock } from '../../../server/cluster/database-clock.js';
import { leaseMetrics } from '../../../server/metrics/lease-metrics.js';
import { monotonicNow } from '../../../server/monotonic-now.js';
import { openDatabase } from '../../../server/store/database.js';
import { PostgresClusterStore } from '../../../server/store/postgres/postgres-cluster-store.js';
import { SOLE_SERVER_LEASES } from '../../../server/streams/stream-leases.js';
import { Cleanup } from '../../support/cleanup.js';
import { until } from '../../support/media/until.js';
import { valuesIn } from '../../support/metrics.js';
import { query } from '../../support/postgres.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { aClaim, streamLeasesContract } from './stream-leases.contract.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const postgres = suitePostgres();

/** A node without a server. */
async function aNode(cleanup: Cleanup, databaseUrl: string) {
  const db = await openDatabase('', databaseUrl);
  cleanup.after(() => db.destroy());
  const store = new PostgresClusterStore(db);
  const identity = { id: randomBytes(16).toString('hex'), url: 'https://one.example.com' };
  const node = new ClusterNode({ identity, store, clock: new DatabaseClock(Date.now), monotonicNow });
  const leases = new ClusterLeases({ node, store, monotonicNow });
  await node.start();
  cleanup.after(() => node.close());
  return { store, node, leases, settled: () => leases.flush() };
}

streamLeasesContract('the only server of a database', async () => ({
  leases: SOLE_SERVER_LEASES,
  settled: async () => undefined,
}));
streamLeasesContract(
  'a node on PostgreSQL',
  async (cleanup) => await aNode(cleanup, await postgres.migratedDatabase()),
);

describe('nodes on one PostgreSQL', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());
  const nodes = async (count: number) => {
    const databaseUrl = await postgres.migratedDatabase();
    const open = Array.from({ length: count }, () => aNode(cleanup, databaseUrl));
    return { databaseUrl, all: await Promise.all(open) };
  };

  it('have one winner each when four claim a name at once, 1,000 times', async () => {
    const { all } = await nodes(4);
    const tookMs: number[] = [];
    for (let round = 0; round < 1_000; round += 1) {
      const streamId = streamIdOf('acme', `stream-${round}`);
      const outcomes = await Promise.all(
        all.map(async ({ leases }) => {
          const asked = performance.now();
          const outcome = await leases.claim(aClaim({ streamId }));
          tookMs.push(performance.now() - asked);
          return outcome;
        }),
      );
      assert.deepEqual(outcomes.toSorted(), ['held', 'taken', 'taken', 'taken'], streamId);
    }
    assert.equal(tookMs.length, 4_000);
  });

  it('have all sources of a stream on one node, whichever they claim at once', async () => {
    const { all } = await nodes(4);
    for (let round = 0; round < 100; round += 1) {
      const outcomes = await Promise.all(
        all.map(({ leases }, index) =>
          leases.claim(aClaim({ streamId: streamIdOf('acme', `s${round}`), sourceId: `cam${index}` })),
        ),
      );
      assert.deepEqual(outcomes.toSorted(), ['elsewhere', 'elsewhere', 'elsewhere', 'held']);
    }
  });

  it('get every source of a stream when one node claims them at once', async () => {
    const { leases } = await aNode(cleanup, await postgres.migratedDatabase());
    for (let round = 0; round < 20; round += 1) {
      const claims = ['cam1', 'cam2', 'cam3'].map((sourceId) =>
        aClaim({ streamId: streamIdOf('acme', `s${round}`), sourceId }),
      );
      const outcomes = await Promise.all(claims.map((claim) => leases.claim(claim)));
      assert.deepEqual(outcomes, ['held', 'held', 'held']);
    }
  });

  it('give each lease of a source a larger epoch', async () => {
    const { all } = await nodes(2);
    const [first, second] = all;
    const claim = { ...aClaim(), accountId: 'acme', streamName: 'main', sessionKeyHash: 'hash' };
    const epochs: number[] = [];
    let before = first!;
    for (const each of [first!, first!, second!, first!]) {
      const { store, node } = each;
      if (each !== before) await store.release(before.node.identity.id, [claim]);
      before = each;
      const answer = await store.claim(node.epoch!, claim);
      if (answer.name === 'claimed') epochs.push(answer.epoch);
    }
    assert.equal(epochs.length, 4);
    assert.deepEqual(
      epochs,
      [...new Set(epochs)].toSorted((a, b) => a - b),
    );
  });

  it('free the names of a node that leaves at once, and of one whose heartbeat is too old', async () => {
    const { databaseUrl, all } = await nodes(3);
    const [left, lost, other] = all;
    await left!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'left') }));
    await lost!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'lost') }));
    assert.equal(await other!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'left') })), 'taken');
    await left!.node.close();
    assert.equal(await other!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'left') })), 'held');
    assert.equal(await other!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'lost') })), 'taken');
    const { id } = lost!.node.identity;
    await query(databaseUrl, `update node set heartbeat = clock_timestamp() - interval '8 seconds' where id = '${id}'`);
    assert.equal(await other!.leases.claim(aClaim({ streamId: streamIdOf('acme', 'lost') })), 'held');
  });

  it('renew no lease whose heartbeat is too old, and join again with another epoch', async () => {
    const { databaseUrl, all } = await nodes(1);
    const [{ store, node, leases }] = all as [(typeof all)[number]];
    let lapses = 0;
    node.on('lapsed', () => (lapses += 1));
    const lost: number[] = [];
    leases.on('lost', (count) => lost.push(count));
    assert.equal(await leases.claim(aClaim({ streamId: streamIdOf('acme', 'lost') })), 'held');
    const epoch = node.epoch!;
    await query(databaseUrl, `update node set heartbeat = clock_timestamp() - interval '8 seconds'`);
    assert.equal((await store.beat(epoch)).isRenewed, false);
    const late = aClaim();
    assert.equal(await leases.claim(late), 'unavailable');
    leases.release(late);
    await until('it has lapsed', () => lapses === 1);
    assert.deepEqual(lost, [1]);
    await until('it has joined again', () => (node.epoch?.epoch ?? 0) > epoch.epoch);
    assert.equal(await leases.claim(aClaim()), 'held');
  });

  it('report how claims ended, how many leases are held, and how long renewals take', async () => {
    const { all } = await nodes(2);
    const [{ node, leases }, other] = all as [(typeof all)[number], (typeof all)[number]];
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
    await until('it is renewed', async () => (await valueOf('streamgate_lease_renewal_seconds_count'))! > 0);
    assert.equal(await valueOf('streamgate_servers'), 2);
    leases.release(claim);
    assert.equal(await valueOf('streamgate_leases'), 0);
  });

  it('do not end an epoch by a join that comes late', async () => {
    const { all } = await nodes(2);
    const [{ store, node, leases }, other] = all as [(typeof all)[number], (typeof all)[number]];
    await leases.claim(aClaim());
    await store.join({ ...node.identity, epoch: 0 });
    assert.equal((await store.beat(node.epoch!)).isRenewed, true);
    assert.equal(await other.leases.claim(aClaim()), 'taken');
  });

  it('delete nodes that have been lost for a minute, with their leases', async () => {
    const { databaseUrl, all } = await nodes(2);
    const [lost, other] = all as [(typeof all)[number], (typeof all)[number]];
    await lost.leases.claim(aClaim());
    assert.deepEqual(await other.store.removeLost(), []);
    const { id } = lost.node.identity;
    await query(
      databaseUrl,
      `update node set heartbeat = clock_timestamp() - interval '61 seconds' where id = '${id}'`,
    );
    await query(databaseUrl, `update node set joined_on = clock_timestamp() - interval '9 seconds'`);
    await other.store.announceLost(other.node.epoch!);
    assert.deepEqual(await other.store.removeLost(), [lost.node.identity]);
    assert.deepEqual(await other.store.leases(), []);
  });

  it('release a lease whose claim was executed though nobody received the answer', async () => {
    const { all } = await nodes(1);
    const [{ store, node, leases, settled }] = all as [(typeof all)[number]];
    const lost = { ...aClaim(), accountId: 'acme', streamName: 'main', sessionKeyHash: 'hash' };
    await store.claim(node.epoch!, lost);
    const held = aClaim({ streamId: streamIdOf('acme', 'held') });
    await leases.claim(held);
    for (const lease of await store.leases()) leases.seen(lease);
    await settled();
    assert.deepEqual(
      (await store.leases()).map(({ streamName }) => streamName),
      ['held'],
    );
  });

  /** The leases of a node whose database can be away for them. */
  const interrupted = async () => {
    const { all } = await nodes(2);
    const [{ store, node }, other] = all as [(typeof all)[number], (typeof all)[number]];
    const database = { isAway: false };
    const answer = <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args): Promise<Answer> => {
        if (database.isAway) throw new Error('the database does not answer');
        return await call(...args);
      };
    };
    const leases = new ClusterLeases({
      node,
      store: {
        claim: answer((...args) => store.claim(...args)),
        write: answer((...args) => store.write(...args)),
        release: answer((...args) => store.release(...args)),
        requestStop: answer((...args) => store.requestStop(...args)),
      },
      monotonicNow,
    });
    return { store, leases, database, other };
  };

  it('release the lease of a lost session, if the claim of the session that resumed it was not executed', async () => {
    const { store, leases, database, other } = await interrupted();
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
    const { store, leases, database } = await interrupted();
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
    assert.deepEqual(
      (await store.leases()).map(({ sessionId }) => sessionId),
      [resumed!.sessionId],
    );
    assert.deepEqual(
      leases.held().map(({ sessionId }) => sessionId),
      [resumed!.sessionId],
    );
  });

  it('write what becomes of a source, and release it, when the database answers again', async () => {
    const { store, leases, database } = await interrupted();
    const [kept, released] = [
      aClaim({ streamId: streamIdOf('acme', 'kept') }),
      aClaim({ streamId: streamIdOf('acme', 'released') }),
    ];
    await leases.claim(kept);
    await leases.claim(released);
    database.isAway = true;
    leases.changed({ ...kept, isLive: true, keptForMs: null });
    leases.release(released);
    await leases.flush();
    assert.equal((await store.leases()).length, 2);
    database.isAway = false;
    await until('both are written', async () => {
      const found = await store.leases();
      return found.length === 1 && found[0]!.streamName === 'kept' && found[0]!.liveOn !== null;
    });
  });
});
