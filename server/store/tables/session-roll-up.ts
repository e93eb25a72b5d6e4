import type { Selectable } from 'kysely';
import {
  statisticsOfHour,
  type SessionHour,
  type StreamHour,
  type TokenHour,
} from '../../statistics/hour-statistics.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { SessionTable } from '../schema/oversight-tables.js';

/** The rows of one insert. Databases limit the parameters of a statement. */
const ROWS_AT_ONCE = 500;

/** Writes the sums of the sessions of an hour, for each stream and each token. Sums of before are replaced. */
export async function rollUpSessions(db: Database, hour: number): Promise<void> {
  const { streams, tokens } = statisticsOfHour(hour, await sessionsOf(db, hour));
  for (const part of inParts(streams)) await saveStreams(db, part);
  for (const part of inParts(tokens)) await saveTokens(db, part);
}

/** The stored `media_ms` of a session grows from hour to hour: the difference is what belongs to the hour. */
async function sessionsOf(db: Database, hour: number): Promise<readonly SessionHour[]> {
  const rows = await db
    .selectFrom('session_hour as part')
    .innerJoin('session', 'session.id', 'part.session_id')
    .where('part.hour', '=', hour)
    .select([
      'session.id',
      'session.account_id',
      'session.stream_name',
      'session.role',
      'session.token_id',
      'session.opened_on',
      'session.first_media_on',
      'session.seen_on',
      'part.media_ms',
      (eb) =>
        eb
          .selectFrom('session_hour as before')
          .select('before.media_ms')
          .whereRef('before.session_id', '=', 'part.session_id')
          .where('before.hour', '<', hour)
          .orderBy('before.hour', 'desc')
          .limit(1)
          .as('media_ms_before'),
    ])
    .execute();
  return hourReader.readAll(db, rows);
}

interface HourRow extends Pick<
  Selectable<SessionTable>,
  'id' | 'account_id' | 'stream_name' | 'role' | 'token_id' | 'opened_on' | 'first_media_on' | 'seen_on'
> {
  readonly media_ms: number;
  readonly media_ms_before: number | null;
}

/** A session that cannot be read is in no sum, so that those of the others are made. */
const hourReader = new RowReader<HourRow, SessionHour>({
  table: 'session_hour',
  key: ['id'],
  read(row) {
    // Less than before only after a clock was set back.
    const before = row.orNull('media_ms_before', row.count) ?? 0;
    return {
      accountId: row.text('account_id'),
      streamName: row.text('stream_name'),
      role: row.oneOf('role', ['publisher', 'viewer']),
      tokenId: row.orNull('token_id', row.integer),
      openedOn: row.time('opened_on'),
      firstMediaOn: row.orNull('first_media_on', row.time),
      seenOn: row.time('seen_on'),
      mediaMs: Math.max(0, row.count('media_ms') - before),
    };
  },
});

async function saveStreams(db: Database, streams: readonly StreamHour[]): Promise<void> {
  await db
    .insertInto('stream_hour')
    .values(
      streams.map((stream) => ({
        account_id: stream.accountId,
        stream_name: stream.streamName,
        hour: stream.hour,
        viewer_sessions: stream.viewerSessions,
        peak_viewers: stream.peakViewers,
        watched_ms: stream.watchedMs,
        publisher_sessions: stream.publisherSessions,
        broadcast_ms: stream.broadcastMs,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'stream_name', 'hour']).doUpdateSet((eb) => ({
        viewer_sessions: eb.ref('excluded.viewer_sessions'),
        peak_viewers: eb.ref('excluded.peak_viewers'),
        watched_ms: eb.ref('excluded.watched_ms'),
        publisher_sessions: eb.ref('excluded.publisher_sessions'),
        broadcast_ms: eb.ref('excluded.broadcast_ms'),
      })),
    )
    .execute();
}

async function saveTokens(db: Database, tokens: readonly TokenHour[]): Promise<void> {
  await db
    .insertInto('token_hour')
    .values(
      tokens.map((token) => ({
        account_id: token.accountId,
        token_id: token.tokenId,
        hour: token.hour,
        kind: token.kind,
        sessions: token.sessions,
        media_ms: token.mediaMs,
        first_used_on: token.firstUsedOn,
        last_used_on: token.lastUsedOn,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'token_id', 'hour']).doUpdateSet((eb) => ({
        sessions: eb.ref('excluded.sessions'),
        media_ms: eb.ref('excluded.media_ms'),
        first_used_on: eb.ref('excluded.first_used_on'),
        last_used_on: eb.ref('excluded.last_used_on'),
      })),
    )
    .execute();
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, part) => rows.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE));
}
