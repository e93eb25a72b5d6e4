import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { ExpiringMap } from '../expiring-map.js';
import { PATIENCE } from './publish-bitrate.js';
import { PublisherSession } from './publisher-session.js';
import type { Session } from './session.js';
import type { SessionsEventMap } from './sessions.js';

/** A publisher that was ended for its bitrate was warned, and gets less time when it comes again within ten minutes. */
const PATIENCE_AGAIN = 2;
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 10_000;

export interface PublishBitrateLimitsOptions {
  readonly sessions: EventEmitter<SessionsEventMap> & { readonly all: readonly Session[] };
  readonly limits: {
    /** In bit/s. Null: no limit. */
    of(accountId: string): { readonly maxPublishBitrate: number | null };
    on(event: 'changed', listener: (accountId: string) => void): unknown;
  };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Limits what each publisher sends to what its account may, and to another limit as soon as it is known. */
export function limitPublishBitrate({ sessions, limits, now, log }: PublishBitrateLimitsOptions): void {
  const ended = new ExpiringMap<true>({ capacity: MAX_REMEMBERED, lifeMs: REMEMBERED_MS, now });
  const limit = (session: PublisherSession): void => {
    const max = limits.of(session.grant.accountId).maxPublishBitrate;
    const patience = ended.has(publisherOf(session)) ? PATIENCE_AGAIN : PATIENCE;
    session.limitBitrate(max === null ? undefined : { max, patience }).catch((err: unknown) => {
      const { id, streamId, ended: isOver } = session;
      if (!isOver)
        log.warn({ session: id, stream: streamId, err }, 'a publisher could not be told its limit of bitrate');
    });
  };
  sessions.on('opened', (session) => {
    if (session instanceof PublisherSession) limit(session);
  });
  limits.on('changed', (accountId) => {
    for (const session of sessions.all) {
      if (session instanceof PublisherSession && session.grant.accountId === accountId) limit(session);
    }
  });
  sessions.on('bitrate-above', ({ id, streamId }, bitrate, max) => {
    log.warn({ session: id, stream: streamId, bitrate, max }, 'a publisher sends more than its account may');
  });
  sessions.on('ended', (session, { code }) => {
    if (code === 'bitrate_too_high') ended.set(publisherOf(session), true);
  });
}

/** An encoder that connects again has the same token and stream. */
const publisherOf = ({ streamId, grant }: Session): string => `${grant.tokenId} ${streamId}`;
