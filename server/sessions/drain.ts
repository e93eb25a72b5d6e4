import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StreamEvent } from '../streams/stream-event.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { Entrance } from './entrance.js';
import { PublisherSession } from './publisher-session.js';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';
import { ViewerSession } from './viewer-session.js';

/** The clients that are told together, and the pause before the next ones, so that other servers are not stormed. */
const SLICE = 200;
const SLICE_MS = 50;
/** How long viewers wait for their stream to begin on another server, at most. They then move without a gap. */
const STREAM_MOVES_WITHIN_MS = 5_000;

export interface DrainOptions {
  readonly sessions: Sessions;
  readonly streams: Pick<StreamRegistry, 'migrateEvent'>;
  readonly entrance: Entrance;
  /** Tells the other servers. Never rejects. */
  readonly announce: () => Promise<void>;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface DrainLimits {
  readonly withinMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Sends the clients of this server to others, and waits until they are gone: opens no new session, ends publishers, so
 * that their names are free at once, and tells viewers to `migrate`. Viewers of a stream that was live are told by
 * `ViewerMigration` when it begins on another server, or after some seconds.
 */
export async function drain(
  { sessions, streams, entrance, announce, log, now }: DrainOptions,
  { withinMs, signal }: DrainLimits,
): Promise<void> {
  entrance.shut(now());
  await announce();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const gone = whenGone(sessions, limit);
  const told = new Set<string>();
  // By `ViewerMigration` too.
  sessions.on('leaving', ({ id }) => told.add(id));
  log.info({ sessions: sessions.count, withinMs }, 'the server sends its clients to other servers');

  const publishers = sessions.all.filter((session) => session instanceof PublisherSession);
  const moving = new Set(publishers.map(({ streamId }) => streamId));
  const tellViewers = async (which: (viewer: ViewerSession) => boolean) => {
    const viewers = sessions.all.filter((session) => session instanceof ViewerSession);
    await inSlices(viewers.filter(which), limit, (viewer, migrate) => sessions.sendAway(viewer, migrate), streams);
  };
  await inSlices(
    publishers,
    limit,
    (publisher, migrate) => {
      if (migrate) publisher.send(migrate);
      publisher.stop('server_stopping');
    },
    streams,
  );
  await tellViewers(({ streamId }) => !moving.has(streamId));
  await Promise.race([gone, pause(Math.min(STREAM_MOVES_WITHIN_MS, withinMs / 2), limit)]);
  await tellViewers(({ id }) => !told.has(id));
  await gone;
  log.info({ sessions: sessions.count }, 'the server ends the sessions that are left');
}

/** @param act is called with the event `migrate` of the stream; undefined: nobody is in the stream any more */
async function inSlices<Each extends Session>(
  all: readonly Each[],
  limit: AbortSignal,
  act: (session: Each, migrate: StreamEvent | undefined) => void,
  streams: DrainOptions['streams'],
): Promise<void> {
  for (let index = 0; index < all.length && !limit.aborted; index += SLICE) {
    // One event for all clients of a stream, which is then encoded once.
    const events = new Map<string, StreamEvent | undefined>();
    for (const session of all.slice(index, index + SLICE)) {
      const { streamId, ended } = session;
      if (ended) continue;
      if (!events.has(streamId)) events.set(streamId, streams.migrateEvent(streamId));
      act(session, events.get(streamId));
    }
    if (index + SLICE < all.length) await pause(SLICE_MS, limit);
  }
}

/** Resolves when no session is open, or the limit is reached. */
function whenGone(sessions: Sessions, limit: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (sessions.count > 0 && !limit.aborted) return;
      sessions.off('ended', check);
      limit.removeEventListener('abort', check);
      resolve();
    };
    sessions.on('ended', check);
    limit.addEventListener('abort', check);
    check();
  });
}

async function pause(ms: number, limit: AbortSignal): Promise<void> {
  // Only the limit rejects it.
  await pauseFor(ms, undefined, { signal: limit }).catch(() => {});
}
