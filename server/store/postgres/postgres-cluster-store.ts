import { sql, type RawBuilder, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import { streamIdOf } from '../../../src/wire/stream-id.js';
import type {
  ClaimAnswer,
  ClusterStore,
  EndedLease,
  HeartbeatAnswer,
  KnownNode,
  Lease,
  LeaseKey,
  LeaseState,
  NewLease,
  NodeEpoch,
  NodeIdentity,
  StreamEnd,
  StreamName,
} from '../../cluster/cluster-store.js';
import { END_TOLD_FOR_MS, REMOVED_AFTER_MS, RETURNS_WITHIN_MS } from '../../cluster/lease-times.js';
import { storedTime } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { StreamEndTable, StreamStatusTable } from '../schema/cluster-tables.js';
import { announceLost, announceReturned } from './lost-node-events.js';
import { ago, DATABASE_TIME, isAlive } from './node-liveness.js';

/** The channel of the triggers of migration 0024, and of the messages of nodes. */
export const CLUSTER_CHANNEL = 'streamgate_cluster';

interface LeaseRow {
  account_id: string;
  stream_name: string;
  source_id: string;
  session_id: string;
  session_key_hash: string;
  token_id: number;
  live_on: number | null;
  kept_for_ms: number | null;
  stop_requested: boolean;
  interrupted: boolean;
  node_id: string;
  node_epoch: number;
  url: string | null;
}

/** `ClusterStore` on PostgreSQL. */
export class PostgresClusterStore implements ClusterStore {
  readonly #db: Database;
  /** For heartbeats: calls must not keep them waiting for a connection. */
  readonly #heartbeats: Database;

  constructor(db: Database, heartbeats: Database = db) {
    this.#db = db;
    this.#heartbeats = heartbeats;
  }

  async join({ id, epoch, url }: NodeIdentity & NodeEpoch): Promise<Pick<HeartbeatAnswer, 'databaseTime'>> {
    return await this.#heartbeats.transaction().execute(async (transaction) => {
      await sql`
        insert into node (id, url, epoch, heartbeat, joined_on)
        values (${id}, ${url ?? null}, ${epoch}, clock_timestamp(), clock_timestamp())
        on conflict (id) do update set epoch = excluded.epoch, url = excluded.url, heartbeat = excluded.heartbeat,
          joined_on = excluded.joined_on
        where node.epoch < excluded.epoch`.execute(transaction);
      await sql`delete from stream_lease where node_id = ${id} and node_epoch < ${epoch}`.execute(transaction);
      await announceReturned(transaction);
      const { rows } = await sql<{ now: number }>`select ${DATABASE_TIME} as now`.execute(transaction);
      return { databaseTime: rows[0]!.now };
    });
  }

  async beat({ id, epoch }: NodeEpoch): Promise<HeartbeatAnswer> {
    const { rows } = await sql<{
      id: string | null;
      url: string | null;
      epoch: number;
      is_alive: boolean;
      is_renewed: boolean;
      now: number;
    }>`
      with beat as (
        update node set heartbeat = clock_timestamp()
        where id = ${id} and epoch = ${epoch} and ${isAlive('node')} returning 1
      )
      select node.id, node.url, node.epoch, ${isAlive('node')} as is_alive, clock.now,
        exists (select from beat) as is_renewed
      from (select ${DATABASE_TIME} as now) as clock left join node on true`.execute(this.#heartbeats);
    const nodes = rows.flatMap((row): KnownNode[] =>
      row.id === null ? [] : [{ id: row.id, url: row.url ?? undefined, epoch: row.epoch, isAlive: row.is_alive }],
    );
    return { databaseTime: rows[0]!.now, isRenewed: rows[0]!.is_renewed, nodes };
  }

  async leave(id: string): Promise<void> {
    await sql`delete from node where id = ${id}`.execute(this.#heartbeats);
  }

  async announceLost(witness: NodeEpoch): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await announceLost(transaction, witness);
      await announceReturned(transaction);
    });
  }

  async removeLost(): Promise<readonly NodeIdentity[]> {
    const { rows } = await sql<{ id: string; url: string | null }>`
      delete from node using lost_node as lost
      where lost.id = node.id and lost.epoch = node.epoch and node.heartbeat < ${ago(REMOVED_AFTER_MS)}
      returning node.id, node.url`.execute(this.#db);
    await sql`
      delete from lost_node where heartbeat < ${ago(RETURNS_WITHIN_MS)}
        and not exists (select from node where node.id = lost_node.id)`.execute(this.#db);
    return rows.map(identityOf);
  }

  /**
   * Claims of one stream wait for each other. Without that, two nodes that claim different sources of a stream at the
   * same time could both get theirs, and each would have half of the stream. The statement after the lock sees what the
   * claim before it has committed.
   */
  async claim(node: NodeEpoch, lease: NewLease): Promise<ClaimAnswer> {
    const { accountId, streamName, sourceId, sessionId, sessionKeyHash, tokenId } = lease;
    return await this.#db.transaction().execute(async (transaction): Promise<ClaimAnswer> => {
      if (await lockStream(transaction, lease)) {
        // The claim before this one has probably got the stream. Further claims wait, and reading takes less time than
        // trying.
        const taken = await takenBy(transaction, node, lease);
        if (taken) return taken;
      }
      // The claim may overwrite what a lost node had.
      await announceLost(transaction, node, lease);
      const { rows } = await sql<{ epoch: number }>`
        insert into stream_lease as lease (account_id, stream_name, source_id, node_id, node_epoch,
          session_id, session_key_hash, token_id)
        select ${accountId}, ${streamName}, ${sourceText(sourceId)}, node.id, node.epoch,
          ${sessionId}, ${sessionKeyHash}, ${tokenId}::bigint
        from node
        where node.id = ${node.id} and node.epoch = ${node.epoch} and ${isAlive('node')}
          and not exists (
            select from stream_lease as other join node as holder
              on holder.id = other.node_id and holder.epoch = other.node_epoch
            where other.account_id = ${accountId} and other.stream_name = ${streamName}
              and other.node_id <> node.id and ${isAlive('holder')}
          )
        on conflict (account_id, stream_name, source_id) do update set
          node_id = excluded.node_id, node_epoch = excluded.node_epoch, epoch = excluded.epoch,
          session_id = excluded.session_id, session_key_hash = excluded.session_key_hash,
          token_id = excluded.token_id, kept_until = null, stop_requested = false,
          live_on = case when lease.node_id = excluded.node_id and lease.node_epoch = excluded.node_epoch
            then lease.live_on end,
          interrupted = lease.interrupted
            and lease.node_id = excluded.node_id and lease.node_epoch = excluded.node_epoch
        returning epoch`.execute(transaction);
      const [claimed] = rows;
      if (claimed) return { name: 'claimed', epoch: claimed.epoch };
      return (await takenBy(transaction, node, lease)) ?? { name: 'expired' };
    });
  }

  async write(nodeId: string, states: readonly LeaseState[]): Promise<void> {
    const changes = states.map(({ isLive, keptForMs, isInterrupted, ...lease }) => ({
      ...keyRow(lease),
      session_id: lease.sessionId,
      is_live: isLive,
      kept_for_ms: keptForMs,
      interrupted: isInterrupted,
    }));
    await sql`
      with changed as (
        update stream_lease as lease set
          live_on = case when change.is_live then coalesce(lease.live_on, ${DATABASE_TIME}::bigint) end,
          kept_until = clock_timestamp() + change.kept_for_ms * interval '1 millisecond',
          interrupted = change.interrupted
        from json_to_recordset(${JSON.stringify(changes)}::json) as change (account_id text, stream_name text,
          source_id text, session_id text, is_live boolean, kept_for_ms float8, interrupted boolean)
        where lease.account_id = change.account_id and lease.stream_name = change.stream_name
          and lease.source_id = change.source_id and lease.session_id = change.session_id
          and lease.node_id = ${nodeId}
        returning lease.account_id, lease.stream_name, lease.live_on)
      delete from stream_end using changed
      where stream_end.account_id = changed.account_id and stream_end.stream_name = changed.stream_name
        and changed.live_on is not null`.execute(this.#db);
  }

  async release(nodeId: string, leases: readonly EndedLease[]): Promise<void> {
    const ended = leases.map(({ endsStream, ...lease }) => ({
      ...keyRow(lease),
      session_id: lease.sessionId,
      ends_stream: endsStream,
    }));
    await sql`
      with deleted as (
        delete from stream_lease as lease
        using json_to_recordset(${JSON.stringify(ended)}::json) as ended
          (account_id text, stream_name text, source_id text, session_id text, ends_stream boolean)
        where lease.account_id = ended.account_id and lease.stream_name = ended.stream_name
          and lease.source_id = ended.source_id and lease.session_id = ended.session_id
          and lease.node_id = ${nodeId}
        returning lease.account_id, lease.stream_name, lease.token_id, ended.ends_stream)
      insert into stream_end (account_id, stream_name, token_id, ended_on)
      select account_id, stream_name, max(token_id), ${DATABASE_TIME}::bigint from deleted where ends_stream
      group by account_id, stream_name
      on conflict (account_id, stream_name) do update set
        token_id = excluded.token_id, ended_on = excluded.ended_on`.execute(this.#db);
    if (leases.some(({ endsStream }) => endsStream)) {
      await sql`delete from stream_end where ended_on <= ${DATABASE_TIME} - ${END_TOLD_FOR_MS}`.execute(this.#db);
    }
  }

  leases(streams?: readonly StreamName[]): Promise<readonly Lease[]> {
    return leasesOf(this.#db, streams);
  }

  async ends(streams?: readonly StreamName[]): Promise<readonly StreamEnd[]> {
    const { rows } = await sql<StreamEndTable>`
      select account_id, stream_name, token_id, ended_on from stream_end
      where ended_on > ${DATABASE_TIME} - ${END_TOLD_FOR_MS} ${streams ? sql`and ${isOneOf(streams)}` : sql``}`.execute(
      this.#db,
    );
    return rows.flatMap(({ account_id: accountId, stream_name: streamName, token_id: tokenId, ended_on }) => {
      const endedOn = storedTime(ended_on);
      return endedOn === null ? [] : { accountId, streamName, tokenId, endedOn };
    });
  }

  async requestStop(nodeId: string, accountId: string, streamName?: string): Promise<number> {
    const ofStream = streamName === undefined ? sql`` : sql`and stream_name = ${streamName}`;
    const { numAffectedRows = 0n } = await sql`
      update stream_lease set stop_requested = true from node
      where node.id = node_id and node.epoch = node_epoch and ${isAlive('node')} and node.id <> ${nodeId}
        and account_id = ${accountId} ${ofStream}`.execute(this.#db);
    return Number(numAffectedRows);
  }

  async writeStatus(nodeId: string, statuses: readonly (StreamName & { readonly status: string })[]): Promise<void> {
    const rows = statuses.map(({ accountId, streamName, status }) => ({
      account_id: accountId,
      stream_name: streamName,
      status,
    }));
    await sql`
      insert into stream_status (account_id, stream_name, node_id, status)
      select distinct on (account_id, stream_name) account_id, stream_name, ${nodeId}, each.status
      from json_to_recordset(${JSON.stringify(rows)}::json) as each (account_id text, stream_name text, status text)
        join stream_lease using (account_id, stream_name)
      where stream_lease.node_id = ${nodeId}
      on conflict (account_id, stream_name) do update set node_id = excluded.node_id, status = excluded.status`.execute(
      this.#db,
    );
  }

  async removeEndedStatuses(nodeId: string): Promise<void> {
    await sql`
      delete from stream_status where node_id = ${nodeId} and not exists (
        select from stream_lease as lease
        where lease.account_id = stream_status.account_id and lease.stream_name = stream_status.stream_name
          and lease.node_id = ${nodeId})`.execute(this.#db);
  }

  async statuses(nodeId: string, accountId: string) {
    const { rows } = await sql<StatusRow>`
      select account_id, stream_name, status from stream_status
      where account_id = ${accountId} and node_id <> ${nodeId}
        and exists (select from stream_lease as lease
          join node on node.id = lease.node_id and node.epoch = lease.node_epoch
          where lease.account_id = stream_status.account_id and lease.stream_name = stream_status.stream_name
            and lease.node_id = stream_status.node_id and lease.live_on is not null and ${isAlive('node')})`.execute(
      this.#db,
    );
    return statusReader.readAll(this.#db, rows);
  }

  async notify(payloads: readonly string[]): Promise<void> {
    await sql`
      select pg_notify(${CLUSTER_CHANNEL}, payload)
      from json_array_elements_text(${JSON.stringify(payloads)}::json) as payload`.execute(this.#db);
  }
}

/** Of a status, what the other servers need to show it. */
const statusForm = z.looseObject({ streamId: z.string(), liveSince: z.number(), sources: z.array(z.looseObject({})) });

type StatusRow = Pick<StreamStatusTable, 'account_id' | 'stream_name' | 'status'>;

const statusReader = new RowReader<StatusRow, StreamName & { readonly status: string }>({
  table: 'stream_status',
  key: ['account_id', 'stream_name'],
  read(row) {
    row.json('status', statusForm);
    return { accountId: row.text('account_id'), streamName: row.text('stream_name'), status: row.text('status') };
  },
});

/** Locks a stream until the end of the transaction. @returns whether it waited */
async function lockStream(transaction: Transaction<Schema>, { accountId, streamName }: StreamName): Promise<boolean> {
  const key = sql`hashtextextended(${streamIdOf(accountId, streamName)}, 23)`;
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${key}) as locked`.execute(
    transaction,
  );
  if (rows[0]!.locked) return false;
  await sql`select pg_advisory_xact_lock(${key})`.execute(transaction);
  return true;
}

/** @returns the answer to a claim of a stream that another node has; undefined: none has it */
async function takenBy(
  transaction: Transaction<Schema>,
  { id }: NodeEpoch,
  lease: LeaseKey,
): Promise<ClaimAnswer | undefined> {
  const others = (await leasesOf(transaction, [lease])).filter(({ node }) => node.id !== id);
  const other = others.find(({ sourceId }) => sourceId === lease.sourceId) ?? others[0];
  return other && { name: 'taken', by: other.node, sameSource: other.sourceId === lease.sourceId };
}

async function leasesOf(db: Database, streams?: readonly StreamName[]): Promise<Lease[]> {
  const wanted = streams ? sql`where ${isOneOf(streams)}` : sql``;
  const { rows } = await sql<LeaseRow>`
    select account_id, stream_name, source_id, session_id, session_key_hash, token_id, live_on, stop_requested, interrupted,
      (case when isfinite(kept_until) then extract(epoch from kept_until - clock_timestamp()) * 1000 end)::float8
        as kept_for_ms, node_id, node_epoch, url
    from stream_lease join node
      on node.id = node_id and node.epoch = node_epoch and ${isAlive('node')}
    ${wanted}`.execute(db);
  return rows.map((row): Lease => ({
    accountId: row.account_id,
    streamName: row.stream_name,
    sourceId: row.source_id === '' ? null : row.source_id,
    sessionId: row.session_id,
    sessionKeyHash: row.session_key_hash,
    tokenId: row.token_id,
    liveOn: storedTime(row.live_on),
    keptForMs: row.kept_for_ms,
    isInterrupted: row.interrupted,
    stopRequested: row.stop_requested,
    node: { ...identityOf({ id: row.node_id, url: row.url }), epoch: row.node_epoch },
  }));
}

/** The row is of one of these streams. */
function isOneOf(streams: readonly StreamName[]): RawBuilder<boolean> {
  const names = streams.map(({ accountId, streamName }) => ({ account_id: accountId, stream_name: streamName }));
  return sql`(account_id, stream_name) in (
    select wanted.account_id, wanted.stream_name
    from json_to_recordset(${JSON.stringify(names)}::json) as wanted (account_id text, stream_name text))`;
}

function keyRow({ accountId, streamName, sourceId }: LeaseKey) {
  return { account_id: accountId, stream_name: streamName, source_id: sourceText(sourceId) };
}

/** A source id has at least one character. */
function sourceText(sourceId: LeaseKey['sourceId']): string {
  return sourceId ?? '';
}

function identityOf({ id, url }: { readonly id: string; readonly url: string | null }): NodeIdentity {
  return { id, url: url ?? undefined };
}
