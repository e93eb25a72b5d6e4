import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { NodeEpoch, StreamName } from '../../cluster/cluster-store.js';
import { EXPIRES_AFTER_MS } from '../../cluster/lease-times.js';
import { nodeLost, nodeReturned, type NodeSubject } from '../../webhooks/occurrence.js';
import type { Schema } from '../schema.js';
import { writeOccurrence } from '../tables/sql-webhook-outbox.js';
import { ago, DATABASE_TIME, isAlive } from './node-liveness.js';

interface LostRow {
  id: string;
  epoch: number;
  url: string | null;
  last_seen_on: number;
  now: number;
}

const lostColumns = sql`lost_node.id, lost_node.epoch, lost_node.url,
  round(extract(epoch from lost_node.heartbeat) * 1000)::float8 as last_seen_on, round(${DATABASE_TIME}) as now`;

/**
 * Writes `node.lost` for nodes whose leases have expired, once for each epoch, for every account that wants it.
 *
 * Only a node that has been in for as long as leases are valid knows that others are lost. After the database was away,
 * the heartbeats of all nodes are old until each has joined again.
 * @param ofStream only the nodes that have leases of this stream
 */
export async function announceLost(trx: Transaction<Schema>, witness: NodeEpoch, ofStream?: StreamName): Promise<void> {
  const isConcerned: RawBuilder<boolean> = ofStream
    ? sql`node.id in (select node_id from stream_lease
        where account_id = ${ofStream.accountId} and stream_name = ${ofStream.streamName})`
    : sql`true`;
  // The lock lets the node that comes back at this moment wait, so that it finds what is written here. Of servers that
  // do this at the same time, the second one finds the row of the first.
  const { rows } = await sql<LostRow>`
    insert into lost_node (id, epoch, url, heartbeat)
    select node.id, node.epoch, node.url, node.heartbeat from node
    where not ${isAlive('node')} and ${isConcerned} and exists (
      select from node as witness
      where witness.id = ${witness.id} and witness.epoch = ${witness.epoch}
        and ${isAlive('witness')} and witness.joined_on < ${ago(EXPIRES_AFTER_MS)})
    order by node.id for no key update of node
    on conflict do nothing
    returning ${lostColumns}`.execute(trx);
  if (rows.length === 0) return;
  const accounts = await accountsThatWant(trx, 'node.lost');
  for (const row of rows) {
    const streams = await liveStreamsOf(trx, row);
    for (const accountId of accounts) {
      const names = streams.filter((stream) => stream.accountId === accountId).map(({ streamName }) => streamName);
      await writeOccurrence(trx, nodeLost({ accountId, time: row.now }, nodeOf(row), names));
    }
  }
}

/** Writes `node.returned` for lost nodes of which the same run, or another one at the same address, has joined since. */
export async function announceReturned(trx: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<LostRow>`
    update lost_node set returned_on = clock_timestamp() from node
    where lost_node.returned_on is null and ${isAlive('node')} and (
      (node.id = lost_node.id and node.epoch > lost_node.epoch)
      or (node.url = lost_node.url and node.id <> lost_node.id and node.joined_on > lost_node.heartbeat))
    returning ${lostColumns}`.execute(trx);
  if (rows.length === 0) return;
  for (const accountId of await accountsThatWant(trx, 'node.returned')) {
    for (const row of rows) await writeOccurrence(trx, nodeReturned({ accountId, time: row.now }, nodeOf(row)));
  }
}

async function accountsThatWant(trx: Transaction<Schema>, type: 'node.lost' | 'node.returned'): Promise<string[]> {
  const rows = await trx
    .selectFrom('webhook')
    .select('account_id')
    .distinct()
    .where('disabled_reason', 'is', null)
    .where('events', 'like', `%"${type}"%`)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

async function liveStreamsOf(trx: Transaction<Schema>, { id, epoch }: LostRow): Promise<StreamName[]> {
  const rows = await trx
    .selectFrom('stream_lease')
    .select(['account_id', 'stream_name'])
    .distinct()
    .where('node_id', '=', id)
    .where('node_epoch', '=', epoch)
    .where('live_on', 'is not', null)
    .orderBy('stream_name')
    .execute();
  return rows.map((row) => ({ accountId: row.account_id, streamName: row.stream_name }));
}

function nodeOf({ id, url, last_seen_on }: LostRow): NodeSubject {
  return { nodeId: id, url, lastSeenOn: last_seen_on };
}
