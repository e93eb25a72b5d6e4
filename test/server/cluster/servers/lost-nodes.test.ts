import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import type { NodeEpoch, NodeIdentity } from '../../../../server/cluster/cluster-store.js';
import { openDatabase } from '../../../../server/store/database.js';
import { ValueSeal } from '../../../../server/store/keys/value-seal.js';
import { PostgresClusterStore } from '../../../../server/store/postgres/postgres-cluster-store.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlWebhookStore } from '../../../../server/store/tables/sql-webhook-store.js';
import { webhookEvent, type WebhookEvent } from '../../../../src/wire/webhook-event.js';
import { Cleanup } from '../../../support/cleanup.js';
import { DatabaseTime } from '../../../support/database-time.js';
import { query } from '../../../support/postgres.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { aWebhook } from '../../../support/webhook.js';
import { aClaim } from '../stream-leases.contract.js';

const URL_OF_LOST = 'https://lost.example.com';

/** Nodes without servers: their times are rows of the database, which the tests set. */
describe('the loss of a node', () => {
  const postgres = suitePostgres();
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** Some nodes that have been in for long, each with its own connections, and the accounts acme and other. */
  const open = async (survivors = 1) => {
    const databaseUrl = await postgres.migratedDatabase();
    const clock = await DatabaseTime.open(cleanup, databaseUrl);
    const stores = await Promise.all(
      Array.from({ length: survivors }, async () => {
        const db = await openDatabase('', databaseUrl);
        cleanup.after(() => db.destroy());
        return { db, store: new PostgresClusterStore(db) };
      }),
    );
    const [{ db, store }] = stores as [(typeof stores)[number]];
    const accounts = new SqlAccountStore(db);
    const webhooks = new SqlWebhookStore(db, new ValueSeal(createSecretKey(randomBytes(32))));
    for (const accountId of ['acme', 'other']) {
      await accounts.create(accountId);
      await webhooks.add(aWebhook({ accountId }), 1_000);
    }
    const witnesses = stores.map((each, index) => ({ store: each.store, epoch: { id: `witness ${index}`, epoch: 1 } }));
    const isPast = (id: string, column: 'heartbeat' | 'joined_on', seconds: number) =>
      query(databaseUrl, `update node set ${column} = clock_timestamp() - interval '${seconds} s' where id = '${id}'`);
    for (const witness of witnesses) {
      await witness.store.join({ ...witness.epoch, url: undefined });
      await isPast(witness.epoch.id, 'joined_on', 60);
    }
    const join = async (node: Partial<NodeIdentity & NodeEpoch> = {}) => {
      const joined = { id: 'lost', url: URL_OF_LOST, epoch: 1, ...node };
      await store.join(joined);
      return joined;
    };
    const claim = (node: NodeEpoch, streamName: string, accountId = 'acme') => {
      const { sourceId, sessionId, tokenId } = aClaim();
      return store.claim(node, { sourceId, sessionId, tokenId, accountId, streamName, sessionKeyHash: 'hash' });
    };
    const goLive = async (node: NodeEpoch, ...streams: readonly [streamName: string, accountId?: string][]) => {
      for (const stream of streams) await claim(node, ...stream);
      await query(databaseUrl, `update stream_lease set live_on = 1 where node_id = '${node.id}'`);
    };
    /** The node is silent from now on: its heartbeat is too old. */
    const lose = ({ id }: NodeEpoch, seconds = 9) => isPast(id, 'heartbeat', seconds);
    const events = async (accountId = 'acme'): Promise<WebhookEvent[]> => {
      const rows = await query(
        databaseUrl,
        `select payload from webhook_delivery join webhook on webhook.id = webhook_id
          where account_id = '${accountId}' order by webhook_delivery.id`,
      );
      return rows.map((row) => webhookEvent.parse(JSON.parse(row['payload'])));
    };
    const types = async () => (await events()).map(({ type }) => type);
    const announce = () => store.announceLost(witnesses[0]!.epoch);
    return { clock, store, witnesses, join, claim, goLive, lose, isPast, announce, events, types };
  };

  it('is told once, whichever of four servers notice it together', async () => {
    const { witnesses, join, lose, events } = await open(4);
    const ids = Array.from({ length: 25 }, (_, round) => `node ${round}`);
    for (const id of ids) {
      await lose(await join({ id, url: `https://${id.replace(' ', '-')}.example.com` }));
      await Promise.all(witnesses.map(({ store, epoch }) => store.announceLost(epoch)));
    }
    const told = (await events()).map(({ type, data }) => [type, data['nodeId']]);
    assert.deepEqual(
      told,
      ids.map((id) => ['node.lost', id]),
    );
  });

  it('is told to each account, with the streams of this account that were live there', async () => {
    const { clock, join, claim, goLive, lose, announce, events } = await open();
    const lost = await join();
    await goLive(lost, ['talk'], ['keynote'], ['secret', 'other']);
    await claim(lost, 'not yet live');
    await lose(lost);
    await announce();
    const [event, ...more] = await events();
    assert.deepEqual(more, []);
    assert.ok(event?.type === 'node.lost');
    const { lastSeenOn, ...data } = event.data;
    assert.deepEqual(data, {
      nodeId: 'lost',
      url: URL_OF_LOST,
      streams: [
        { streamName: 'keynote', streamId: 'acme/keynote' },
        { streamName: 'talk', streamId: 'acme/talk' },
      ],
      notListed: 0,
    });
    assert.deepEqual([lastSeenOn, event.timestamp].map(Date.parse), [clock.now - 9_000, clock.now]);
    const [ofOther] = await events('other');
    assert.deepEqual(ofOther?.data['streams'], [{ streamName: 'secret', streamId: 'other/secret' }]);
  });

  it('is told with a stream that another server claims before anybody has told it', async () => {
    const { witnesses, join, claim, goLive, lose, announce, events } = await open();
    const lost = await join();
    await goLive(lost, ['keynote'], ['talk']);
    await lose(lost);
    assert.equal((await claim(witnesses[0]!.epoch, 'keynote')).name, 'claimed');
    await announce();
    const streams = (await events()).map(({ data }) => data['streams']);
    assert.deepEqual(streams, [
      ['keynote', 'talk'].map((streamName) => ({ streamName, streamId: `acme/${streamName}` })),
    ]);
  });

  it('is not told of a server that stops in order', async () => {
    const { store, join, goLive, announce, types } = await open();
    const stopped = await join();
    await goLive(stopped, ['keynote']);
    await store.leave(stopped.id);
    await announce();
    assert.deepEqual(await types(), []);
  });

  it('is not told while the heartbeat is young enough', async () => {
    const { join, lose, announce, types } = await open();
    await lose(await join(), 7);
    await announce();
    assert.deepEqual(await types(), []);
  });

  it('is told by no server that has just joined: after an outage of the database, the others may join too', async () => {
    const { witnesses, join, lose, isPast, announce, types } = await open();
    await lose(await join());
    await isPast(witnesses[0]!.epoch.id, 'joined_on', 7);
    await announce();
    assert.deepEqual(await types(), []);
    await isPast(witnesses[0]!.epoch.id, 'joined_on', 9);
    await announce();
    assert.deepEqual(await types(), ['node.lost']);
  });

  it('is told by no server whose own leases have expired, or that has joined again since', async () => {
    const { store, witnesses, join, lose, announce, types } = await open();
    await lose(await join());
    const { epoch } = witnesses[0]!;
    await lose(epoch);
    await announce();
    await store.join({ id: epoch.id, url: undefined, epoch: 2 });
    await announce();
    assert.deepEqual(await types(), []);
  });

  it('is followed by the return of the same run', async () => {
    const { join, lose, announce, events } = await open();
    await lose(await join());
    await announce();
    await join({ epoch: 2 });
    await announce();
    const [lost, returned, ...more] = await events();
    assert.deepEqual([lost?.type, returned?.type, more], ['node.lost', 'node.returned', []]);
    const { nodeId, url, lastSeenOn } = lost!.data as Record<string, unknown>;
    assert.deepEqual(returned?.data, { nodeId, url, lastSeenOn });
  });

  it('is followed by the return of another run at its address, once', async () => {
    const { join, lose, announce, types } = await open();
    await lose(await join());
    await announce();
    await join({ id: 'elsewhere', url: 'https://elsewhere.example.com' });
    assert.deepEqual(await types(), ['node.lost']);
    await join({ id: 'next run' });
    await join({ id: 'run after that' });
    assert.deepEqual(await types(), ['node.lost', 'node.returned']);
  });

  it('is told with the return if the server was started again before anybody noticed', async () => {
    const { join, lose, announce, types } = await open();
    await lose(await join());
    await join({ id: 'next run' });
    await announce();
    await announce();
    assert.deepEqual(await types(), ['node.lost', 'node.returned']);
  });

  it('is told again when the server is lost in a later epoch', async () => {
    const { join, lose, announce, types } = await open();
    for (const epoch of [1, 2]) {
      await lose(await join({ epoch }));
      await announce();
    }
    assert.deepEqual(await types(), ['node.lost', 'node.returned', 'node.lost']);
  });

  it('is told before the return, or not at all, when the server comes back while others notice', async () => {
    const { witnesses, join, lose, events } = await open(3);
    for (let round = 0; round < 20; round += 1) {
      const id = `node ${round}`;
      await lose(await join({ id, url: undefined }));
      await Promise.all([
        ...witnesses.map(({ store, epoch }) => store.announceLost(epoch)),
        join({ id, url: undefined, epoch: 2 }),
      ]);
    }
    for (const [nodeId, told] of Map.groupBy(await events(), ({ data }) => data['nodeId'])) {
      assert.deepEqual(
        told.map(({ type }) => type),
        ['node.lost', 'node.returned'],
        String(nodeId),
      );
    }
  });

  it('keeps the row of the node until it was told', async () => {
    const { store, join, lose, announce } = await open();
    const { id, url } = await join();
    await lose({ id, epoch: 1 }, 3_600);
    assert.deepEqual(await store.removeLost(), []);
    await announce();
    assert.deepEqual(await store.removeLost(), [{ id, url }]);
  });

  it('is told once of a server that was away for longer than its return is waited for', async () => {
    const { store, join, lose, announce, types } = await open();
    await lose(await join(), 40 * 86_400);
    for (let times = 0; times < 2; times += 1) {
      await announce();
      await store.removeLost();
    }
    await join({ epoch: 2 });
    assert.deepEqual(await types(), ['node.lost']);
  });
});
