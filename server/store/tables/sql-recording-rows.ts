import { sql, type Selectable, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import { recordingStates } from '../../../src/wire/management/recording.js';
import type { RecordedPart, RecordingRecord } from '../../recording/recording-record.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { RecordingTable } from '../schema/recording-tables.js';

/** Null if the token is deleted. Ids of tokens are never used again. */
export const presentToken = sql<number | null>`(select token.id from token where token.id = recording.token_id)`.as(
  'present_token',
);

type RecordingRow = Selectable<RecordingTable> & { readonly present_token: number | null };

/** Undefined: there is none, or it cannot be read. */
export async function presentRecording(
  db: Pick<Database, 'selectFrom' | 'getExecutor'>,
  id: string,
): Promise<RecordingRecord | undefined> {
  const row = await db.selectFrom('recording').selectAll().select(presentToken).where('id', '=', id).executeTakeFirst();
  return recordingReader.find(db, row);
}

/**
 * Writing first locks the row on every database, so that what is read with it is current.
 * @param as `show`: also if it cannot be read
 * @throws {UnreadableRowError}
 */
export async function lockRecording(
  trx: Transaction<Schema>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  as: 'read' | 'show' = 'read',
): Promise<RecordingRecord | undefined> {
  const row = await trx
    .updateTable('recording')
    .set({ account_id: accountId })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
  return row && recordingReader[as](trx, { ...row, present_token: row.token_id });
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

const partForm = z.looseObject({
  name: z.string(),
  startsAt: z.number(),
  durationMs: z.number(),
  bytes: z.number(),
  video: z.nullable(z.looseObject({ codec: z.string(), width: z.number(), height: z.number() })),
  audio: z.nullable(z.looseObject({ codec: z.string() })),
});
const parts = z.custom<readonly RecordedPart[]>((value) => z.array(partForm).safeParse(value).success);

export const recordingReader = new RowReader<RecordingRow, RecordingRecord>({
  table: 'recording',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    kind: row.oneOf('kind', ['broadcast', 'clip']),
    streamName: row.text('stream_name'),
    sourceId: row.orNull('source_id', row.text),
    tokenId: row.orNull('present_token', row.integer),
    state: row.oneOf('state', recordingStates),
    // Only shown.
    fault: row.isNull('fault') ? null : row.shown('fault'),
    startedOn: row.time('started_on'),
    endedOn: row.orNull('ended_on', row.time),
    durationMs: row.count('duration_ms'),
    bytes: row.count('bytes'),
    videoCodec: row.orNull('video_codec', (name) => row.oneOf(name, ['vp8', 'h264', 'vp9', 'av1'])),
    audioCodec: row.orNull('audio_codec', (name) => row.oneOf(name, ['opus'])),
    width: row.orNull('width', row.count),
    height: row.orNull('height', row.count),
    container: row.orNull('container', (name) => row.oneOf(name, ['mp4', 'webm'])),
    parts: row.json('parts', parts),
    location: row.oneOf('location', ['folder', 's3']),
    nodeId: row.text('node_id'),
    expiresOn: row.orNull('expires_on', row.time),
  }),
  unreadable: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    kind: row.tolerate(() => row.oneOf('kind', ['broadcast', 'clip']), 'broadcast'),
    streamName: row.tolerate(() => row.text('stream_name'), ''),
    sourceId: null,
    tokenId: null,
    state: row.tolerate(() => row.oneOf('state', ['recording']), 'failed'),
    fault: 'stored_row_unreadable',
    startedOn: row.tolerate(() => row.time('started_on'), 0),
    endedOn: null,
    durationMs: 0,
    bytes: 0,
    videoCodec: null,
    audioCodec: null,
    width: null,
    height: null,
    container: row.tolerate(() => row.orNull('container', (name) => row.oneOf(name, ['mp4', 'webm'])), null),
    parts: row.tolerate(() => row.json('parts', parts), []),
    location: row.tolerate(() => row.oneOf('location', ['folder', 's3']), 'folder'),
    nodeId: row.tolerate(() => row.text('node_id'), ''),
    expiresOn: null,
  }),
});
