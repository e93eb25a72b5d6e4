import type { Request, RequestHandler, Router } from 'express';
import type {
  SessionBody,
  SessionDelivery,
  SessionListQuery,
  SessionQuality,
} from '../../../src/wire/management/session.js';
import type { CountrySource } from '../../admission/country-source.js';
import { NotFoundError } from '../../errors.js';
import type { StoredSession } from '../../oversight/session-record.js';
import { lossOf, type ViewingQuality } from '../../oversight/viewing-quality.js';
import type { SessionPosition, SessionReader } from '../../oversight/session-store.js';
import { streamIdOf, type StreamId } from '../../streams/stream-id.js';
import type { TokenLabels } from '../../tokens/token-labels.js';
import { withTokenLabels } from './labelled-tokens.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { sessionEndpoints, sessionStopEndpoints } from '../endpoints/session-endpoints.js';

/**
 * Ends the open sessions of a record.
 * @param id of the record: of its first session
 * @returns `elsewhere`: none is open here, and the other servers on the database were asked to end it
 */
export type SessionRemover = (streamId: StreamId, id: string) => 'ended' | 'elsewhere' | 'not_open';

/** Tells what viewers are being sent. */
export interface DeliveryReader {
  /** @returns by the id of the record; none of a session that is not open here */
  of(records: readonly StoredSession[]): Promise<ReadonlyMap<string, SessionDelivery>>;
}

export interface SessionRoutesServices {
  readonly sessions: SessionReader;
  readonly countries: CountrySource;
  readonly labels: TokenLabels;
  /** Absent: there is no running server. */
  readonly deliveries?: DeliveryReader | undefined;
}

/** `/api/streams/{streamName}/sessions` */
export function sessionRoutes(
  { sessions, countries, labels, deliveries }: SessionRoutesServices,
  accountAccess: RequestHandler,
): Router {
  const bodies = async (req: Request, found: readonly StoredSession[]): Promise<SessionBody[]> => {
    const sent = await deliveries?.of(found);
    return await withTokenLabels(
      labels,
      req,
      found.map((session) => sessionBody(session, countries, sent?.get(session.id))),
    );
  };
  return endpointRouter(
    sessionEndpoints,
    {
      async list({ accountId, params: { streamName }, query, req, res }) {
        const { itemsOnPage, cursor, from, to, tokenId, reason, state } = query;
        const found = await sessions.list(accountId, {
          streamName,
          from: timeOf(from),
          to: timeOf(to),
          tokenId,
          reason,
          state,
          after: positionOf(cursor),
          // One more than the page shows whether there is another page.
          limit: itemsOnPage + 1,
        });
        const page = found.slice(0, itemsOnPage);
        const last = found.length > itemsOnPage ? page.at(-1) : undefined;
        const next = last ? cursorOf(last) : null;
        if (next !== null) res.set('link', `<${pathOfPage(req.path, query, next)}>; rel="next"`);
        return success(await bodies(req, page), { next });
      },
      async get({ accountId, params: { streamName, id }, req }) {
        const found = await sessions.find(accountId, streamName, id);
        if (!found) throw unknownSession(id);
        const { events, leftOut } = found.timeline;
        const [body] = await bodies(req, [found]);
        return success({
          ...body!,
          events: events.map(({ time, name }) => ({ time: textOf(time), name })),
          eventsLeftOut: leftOut,
        });
      },
    },
    { accountAccess },
  );
}

/** `/api/streams/{streamName}/sessions/{id}/stop` */
export function sessionStopRoutes(
  { sessions, remove }: { sessions: SessionReader; remove: SessionRemover },
  accountAccess: RequestHandler,
): Router {
  return endpointRouter(
    sessionStopEndpoints,
    {
      async stop({ accountId, params: { streamName, id } }) {
        const removed = remove(streamIdOf(accountId, streamName), id);
        if (removed === 'ended') return success({ stopped: true });
        const found = await sessions.find(accountId, streamName, id);
        if (!found) throw unknownSession(id);
        return success({ stopped: removed === 'elsewhere' && found.endedOn === null });
      },
    },
    { accountAccess },
  );
}

function unknownSession(id: string): NotFoundError {
  return new NotFoundError('session_not_found', `The stream has no session with id: ${id}`);
}

function sessionBody(session: StoredSession, countries: CountrySource, sent: SessionDelivery | undefined): SessionBody {
  const { id, streamName, role, protocol, tokenId, address, origin, reason, reconnects } = session;
  return {
    id,
    streamName,
    role,
    protocol,
    tokenId,
    address: address || null,
    country: countries.countryOf(networkStart(address)) ?? null,
    origin,
    openedOn: textOf(session.openedOn),
    connectedOn: textOrNull(session.connectedOn),
    firstMediaOn: textOrNull(session.firstMediaOn),
    lastSeenOn: textOf(session.seenOn),
    endedOn: textOrNull(session.endedOn),
    reason,
    watchedSeconds: role === 'viewer' ? session.mediaMs / 1000 : null,
    broadcastSeconds: role === 'publisher' ? session.mediaMs / 1000 : null,
    reconnects,
    quality: session.quality && qualityBody(session.quality),
    delivery: sent ?? null,
  };
}

/** All addresses of such a network are of one country. */
const networkStart = (address: string): string => address.replace(/\/\d+$/, '');

function qualityBody(quality: ViewingQuality): SessionQuality {
  const { device, firstPictureMs, playedMs, freezes, frozenMs, height, framesPerSecond, roundTripMs } = quality;
  return {
    device,
    firstPictureSeconds: secondsOrNull(firstPictureMs),
    playedSeconds: secondsOrNull(playedMs),
    freezes,
    frozenSeconds: secondsOrNull(frozenMs),
    height,
    framesPerSecond,
    roundTripSeconds: secondsOrNull(roundTripMs),
    loss: lossOf(quality),
  };
}

function secondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000;
}

function cursorOf({ openedOn, id }: SessionPosition): string {
  return `${openedOn}-${id}`;
}

function positionOf(cursor: string | undefined): SessionPosition | undefined {
  const [openedOn, id] = cursor?.split('-') ?? [];
  return id === undefined ? undefined : { openedOn: Number(openedOn), id };
}

function pathOfPage(path: string, { cursor: _cursor, ...query }: SessionListQuery, next: string): string {
  const kept = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams([...kept, ['cursor', next]])}`;
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

function textOrNull(time: number | null): string | null {
  return time === null ? null : textOf(time);
}
