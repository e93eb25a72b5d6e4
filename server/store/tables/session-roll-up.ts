import {
  statisticsOfHour,
  type SessionHour,
  type StreamHour,
  type TokenHour,
} from '../../statistics/hour-statistics.js';
import type { Database } from '../schema.js';

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
  return rows.map((row) => ({
    accountId: row.account_id,
    streamName: row.stream_name,
    role: row.role,
    tokenId: row.token_id === null ? null : Number(row.token_id),
    openedOn: Number(row.opened_on),
    firstMediaOn: row.first_media_on === null ? null : Number(row.first_media_on),
    seenOn: Number(row.seen_on),
    // Less than before only after a clock was set back.
    mediaMs: Math.max(0, Number(row.media_ms) - Number(row.media_ms_before ?? 0)),
  }));
}

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
