import { sql, type Selectable, type Transaction } from 'kysely';
import type { RecordingRecord } from '../../recording/recording-record.js';
import type { Database, Schema } from '../schema.js';
import type { RecordingTable } from '../schema/recording-tables.js';

/** Null if the token is deleted. Ids of tokens are never used again. */
export const presentToken = sql<number | null>`(select token.id from token where token.id = recording.token_id)`.as(
  'present_token',
);

type RecordingRow = Selectable<RecordingTable> & { readonly present_token: number | null };

/** Undefined: there is none. */
export async function presentRecording(
  db: Pick<Database, 'selectFrom'>,
  id: string,
): Promise<RecordingRecord | undefined> {
  const row = await db.selectFrom('recording').selectAll().select(presentToken).where('id', '=', id).executeTakeFirst();
  return row && recordOf(row);
}

/** Writing first locks the row on every database, so that what is read with it is current. */
export async function lockRecording(
  trx: Transaction<Schema>,
  accountId: string,
  id: string,
): Promise<RecordingRecord | undefined> {
  const row = await trx
    .updateTable('recording')
    .set({ account_id: accountId })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  return row && recordOf({ ...row, present_token: row.token_id });
}

export function rowOf(record: RecordingRecord): RecordingTable {
  return {
    id: record.id,
    account_id: record.accountId,
    kind: record.kind,
    stream_name: record.streamName,
    source_id: record.sourceId,
    token_id: record.tokenId,
    state: record.state,
    fault: record.fault,
    started_on: record.startedOn,
    ended_on: record.endedOn,
    duration_ms: Math.round(record.durationMs),
    bytes: record.bytes,
    video_codec: record.videoCodec,
    audio_codec: record.audioCodec,
    width: record.width,
    height: record.height,
    container: record.container,
    parts: JSON.stringify(record.parts),
    location: record.location,
    node_id: record.nodeId,
    expires_on: record.expiresOn,
  };
}

/** PostgreSQL returns a bigint as text. */
export function recordOf(row: RecordingRow): RecordingRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    streamName: row.stream_name,
    sourceId: row.source_id,
    tokenId: row.present_token,
    state: row.state,
    fault: row.fault,
    startedOn: Number(row.started_on),
    endedOn: numberOrNull(row.ended_on),
    durationMs: Number(row.duration_ms),
    bytes: Number(row.bytes),
    videoCodec: row.video_codec,
    audioCodec: row.audio_codec,
    width: row.width,
    height: row.height,
    container: row.container,
    parts: JSON.parse(row.parts),
    location: row.location,
    nodeId: row.node_id,
    expiresOn: numberOrNull(row.expires_on),
  };
}

export const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));
