import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import pg from 'pg';
import type { ClusterStore, Lease } from '../../../../server/cluster/cluster-store.js';
import { openDatabase } from '../../../../server/store/database.js';
import { ValueSeal } from '../../../../server/store/keys/value-seal.js';
import { CLUSTER_CHANNEL, PostgresClusterStore } from '../../../../server/store/postgres/postgres-cluster-store.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlWebhookStore } from '../../../../server/store/tables/sql-webhook-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { DatabaseTime } from '../../../support/database-time.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { aWebhook } from '../../../support/webhook.js';
import { ModelClusterStore, type Announcement } from '../simulation/model-cluster-store.js';

const NODES = [
  { id: 'one', url: 'https://one.example.com' },
  { id: 'two', url: 'https://two.example.com' },
  // Another run of the first.
  { id: 'next', url: 'https://one.example.com' },
  { id: 'silent', url: undefined },
] as const;
const STREAMS = [
  { accountId: 'acme', streamName: 'main' },
  { accountId: 'acme', streamName: 'it\'s "here"' },
  { accountId: 'other', streamName: 'main' },
] as const;
const SESSIONS = ['first', 'second'];

const anyNode = fc.record({ node: fc.constantFrom(...NODES), epoch: fc.constantFrom(1, 1, 1, 2) });
const anyLease = fc.record({
  stream: fc.constantFrom(...STREAMS),
  sourceId: fc.constantFrom(null, 'cam1'),
  sessionId: fc.constantFrom(...SESSIONS),
});
const anyState = fc.record({
  isLive: fc.boolean(),
  keptForMs: fc.constantFrom(null, 2_000),
  isInterrupted: fc.boolean(),
});
/** No sum of these is near 8 s, 60 s or 30 days, when leases, nodes and the memory of lost ones expire. */
const anyPause = fc.oneof(
  { weight: 20, arbitrary: fc.constant(3_500) },
  { weight: 1, arbitrary: fc.constantFrom(17_000, 70_000, 31 * 86_400_000) },
);

type Act = (store: ClusterStore) => Promise<unknown>;
type Step = { readonly name: string; readonly act: Act; readonly ms?: number };

const stepOf = <Args>(
  name: string,
  args: fc.Arbitrary<Args>,
  act: (store: ClusterStore, args: Args) => Promise<unknown>,
) => args.map((given): Step => ({ name: `${name} ${JSON.stringify(given)}`, act: (store) => act(store, given) }));

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: stepOf('join', anyNode, (store, { node, epoch }) => store.join({ ...node, epoch })) },
  { weight: 5, arbitrary: stepOf('beat', anyNode, (store, { node, epoch }) => store.beat({ id: node.id, epoch })) },
  { weight: 1, arbitrary: stepOf('leave', anyNode, (store, { node }) => store.leave(node.id)) },
  {
    weight: 8,
    arbitrary: stepOf('announce', fc.constantFrom(NODES[0], NODES[0], NODES[0], NODES[1]), (store, { id }) =>
      store.announceLost({ id, epoch: 1 }),
    ),
  },
  { weight: 1, arbitrary: stepOf('remove', fc.constant({}), (store) => store.removeLost()) },
  {
    weight: 7,
    arbitrary: stepOf('claim', fc.tuple(anyNode, anyLease), (store, [{ node, epoch }, { stream, ...lease }]) =>
      store.claim({ id: node.id, epoch }, { ...stream, ...lease, sessionKeyHash: 'hash', tokenId: 7 }),
    ),
  },
  {
    weight: 3,
    arbitrary: stepOf(
      'write',
      fc.tuple(anyNode, fc.array(fc.tuple(anyLease, anyState), { maxLength: 2 })),
      (store, [{ node }, all]) =>
        store.write(node.id, distinct(all.map(([{ stream, ...lease }, state]) => ({ ...stream, ...lease, ...state })))),
    ),
  },
  {
    weight: 2,
    arbitrary: stepOf(
      'release',
      fc.tuple(anyNode, fc.array(fc.tuple(anyLease, fc.boolean()), { maxLength: 2 })),
      (store, [{ node }, all]) =>
        store.release(
          node.id,
          distinct(all.map(([{ stream, ...lease }, endsStream]) => ({ ...stream, ...lease, endsStream }))),
        ),
    ),
  },
  {
    weight: 3,
    arbitrary: stepOf(
      'ends',
      fc.option(fc.array(fc.constantFrom(...STREAMS), { maxLength: 2 }), { nil: undefined }),
      // Without the time, which passes between the two.
      (store, streams) =>
        store
          .ends(streams)
          .then((ends) => ends.map(({ accountId, streamName, tokenId }) => ({ accountId, streamName, tokenId }))),
    ),
  },
  {
    weight: 3,
    arbitrary: stepOf(
      'leases',
      fc.option(fc.array(fc.constantFrom(...STREAMS), { maxLength: 2 }), { nil: undefined }),
      (store, streams) => store.leases(streams).then((leases) => leases.map(comparable).toSorted()),
    ),
  },
  {
    weight: 1,
    arbitrary: stepOf('stop', fc.tuple(anyNode, fc.constantFrom(undefined, 'main')), (store, [{ node }, streamName]) =>
      store.requestStop(node.id, 'acme', streamName),
    ),
  },
  {
    weight: 2,
    arbitrary: stepOf('status', fc.tuple(anyNode, fc.constantFrom(...STREAMS)), (store, [{ node }, stream]) =>
      store.writeStatus(node.id, [{ ...stream, status: '{"streamId":"s","liveSince":1,"sources":[]}' }]),
    ),
  },
  { weight: 1, arbitrary: stepOf('ended', anyNode, (store, { node }) => store.removeEndedStatuses(node.id)) },
  {
    weight: 2,
    arbitrary: stepOf('statuses', anyNode, (store, { node }) =>
      store.statuses(node.id, 'acme').then((all) => all.map(({ streamName }) => streamName).toSorted()),
    ),
  },
  {
    weight: 1,
    arbitrary: stepOf('notify', fc.array(fc.constantFrom('x', 'y')), (store, payloads) => store.notify(payloads)),
  },
  {
    weight: 14,
    arbitrary: fc.tuple(anyPause, fc.constantFrom(NODES[0], NODES[0], ...NODES)).map(([ms, { id }]): Step => {
      return { name: `${id} is there, and ${ms} ms pass`, act: (store) => store.beat({ id, epoch: 1 }), ms };
    }),
  },
);
const JOINED: readonly Step[] = NODES.map((node) => {
  return { name: `join ${node.id}`, act: (store) => store.join({ ...node, epoch: 1 }) };
});

/** One statement changes each row once. */
function distinct<Each extends object>(all: readonly Each[]): Each[] {
  return [...new Map(all.map((one) => [JSON.stringify(Object.values(one).slice(0, 3)), one])).values()];
}

/** Without times, which pass between the two. */
function comparable({ liveOn, keptForMs, ...lease }: Lease): string {
  const kept = keptForMs === null ? null : Math.sign(keptForMs);
  return JSON.stringify([lease.accountId, lease.streamName, lease, liveOn !== null, kept], sortedKeys);
}

function sortedKeys(_key: string, value: unknown): unknown {
  const isRecord = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isRecord
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}

/** The answer, without times and the number of a lease, in one order. */
function answerOf(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map((each) => JSON.stringify(each, sortedKeys)).toSorted();
  if (!answer || typeof answer !== 'object') return answer;
  const { databaseTime: _time, epoch: _epoch, by, nodes, ...rest } = answer as Record<string, unknown>;
  const holder = by && typeof by === 'object' && 'id' in by ? { by: by.id } : {};
  return {
    ...holder,
    ...rest,
    ...(Array.isArray(nodes) && { nodes: nodes.map((node) => JSON.stringify(node, sortedKeys)).toSorted() }),
  };
}

/** PostgreSQL writes JSON with spaces. */
function inOneForm(payload: string): string {
  return payload.startsWith('[') ? JSON.stringify(JSON.parse(payload)) : payload;
}

describe('the tables of servers, in PostgreSQL and in the model of the simulation', () => {
  const postgres = suitePostgres();
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('answer, notify and tell webhooks the same, whatever servers do and however time passes', async () => {
    const url = await postgres.migratedDatabase();
    const clock = await DatabaseTime.open(cleanup, url);
    const db = await openDatabase('', url);
    cleanup.after(() => db.destroy());
    const store = new PostgresClusterStore(db);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    cleanup.after(() => client.end());
    const heard: string[] = [];
    let onEnd = () => {};
    client.on('notification', ({ payload = '' }) => (payload === 'end' ? onEnd() : void heard.push(payload)));
    await client.query(`listen ${CLUSTER_CHANNEL}`);
    /** Everything that was notified since the last call. */
    const notified = async (): Promise<string[]> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      onEnd = resolve;
      await client.query(`select pg_notify('${CLUSTER_CHANNEL}', 'end')`);
      await promise;
      return heard.splice(0).map(inOneForm).toSorted();
    };
    const announced = async (): Promise<Announcement[]> => {
      const { rows } = await client.query<{ payload: string }>('select payload from webhook_delivery order by id');
      return rows.map(({ payload }) => {
        const { type, data } = JSON.parse(payload);
        return [type, data.nodeId];
      });
    };
    await new SqlAccountStore(db).create('acme');
    const webhooks = new SqlWebhookStore(db, new ValueSeal(createSecretKey(randomBytes(32))));
    await webhooks.add(aWebhook({ accountId: 'acme' }), 1_000);
    let claims = 0;
    let losses = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
        await client.query(
          'truncate node, stream_lease, stream_end, stream_status, lost_node, webhook_delivery cascade',
        );
        await notified();
        const modelHeard: string[] = [];
        const model = new ModelClusterStore(
          () => clock.now,
          (payloads) => modelHeard.push(...payloads),
        );
        for (const { name, act, ms } of [...JOINED, ...steps]) {
          const [said, saidByModel] = [answerOf(await act(store)), answerOf(await act(model))];
          assert.deepEqual(saidByModel, said, name);
          const ofModel = modelHeard.splice(0).map(inOneForm).toSorted();
          assert.deepEqual(ofModel, await notified(), `what is notified after ${name}`);
          // Each step takes a moment.
          await clock.pass(ms ?? 1);
          if (said && typeof said === 'object' && 'name' in said && said.name === 'claimed') claims += 1;
        }
        assert.deepEqual(model.announced, await announced());
        losses += model.announced.length;
      }),
      // Each step asks PostgreSQL several times: to shorten a failure takes minutes.
      { numRuns: 25, endOnFailure: true },
    );
    assert.ok(claims > 10 && losses > 10, `${claims} claims, ${losses} losses: the property says little`);
  });
});
