import type { Request, Response } from 'express';
import type { Grant } from '../admission/grant.js';
import type { IceServer } from '../admission/ice-servers.js';
import type { StreamPlaces } from '../streams/stream-places.js';
import { streamIdOf } from '../streams/stream-id.js';
import { SDP } from './ingest-middleware.js';
import type { IngestDependencies, IngestSession } from './ingest-sessions.js';

/** The URLs of sessions are below this path. */
export const SESSIONS_PATH = '/api/sessions';

/** The events that an event stream of a WHEP session can send. */
const EVENTS = 'active,updated,inactive,layers,viewercount,reconnect';

/** One link of a `Link` header (RFC 8288). */
export interface Link {
  readonly target: string;
  readonly rel: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Answers 201 with the URL of the session, the SDP answer, the STUN and TURN servers and the WHEP extensions. */
export function sendSessionCreated(res: Response, session: IngestSession, dependencies: IngestDependencies): void {
  const { iceServers, places, now } = dependencies;
  const url = sessionUrl(places.nodeUrl, session.key);
  const links = [
    ...iceServerLinks(iceServers.forSession(session.session.id, now())),
    ...(session.protocol === 'WHEP' ? whepExtensionLinks(url) : []),
  ];
  const link = linkHeader(links);
  res.status(201).set({ Location: url, ETag: `"${session.entityTag}"`, 'Cache-Control': 'no-store' });
  if (link !== undefined) res.set('Link', link);
  // Not by `set`: Express adds a charset, and some clients compare the whole value.
  res.setHeader('Content-Type', SDP);
  res.send(Buffer.from(session.answer));
}

/** Without an origin only the path: a path is right behind every proxy. */
export function sessionUrl(nodeUrl: string | undefined, key: string): string {
  return `${nodeUrl?.replace(/\/+$/, '') ?? ''}${SESSIONS_PATH}/${key}`;
}

/** The two extensions of the WHEP draft. */
function whepExtensionLinks(url: string): Link[] {
  return [
    {
      target: `${url}/events`,
      rel: 'urn:ietf:params:whep:ext:core:server-sent-events',
      attributes: { events: EVENTS },
    },
    { target: `${url}/layer`, rel: 'urn:ietf:params:whep:ext:core:layer' },
  ];
}

/** One link for each URL of a STUN or TURN server (RFC 9725 section 4.6). */
export function iceServerLinks(servers: readonly IceServer[]): Link[] {
  return servers.flatMap(({ urls, username, credential }) =>
    urls.map((target) => ({
      target,
      rel: 'ice-server',
      ...(username !== undefined &&
        credential !== undefined && { attributes: { username, credential, 'credential-type': 'password' } }),
    })),
  );
}

/** A `Link` header. Undefined without links. Some clients split the header at a comma before a `<`. */
export function linkHeader(links: readonly Link[]): string | undefined {
  return links.length > 0 ? links.map(linkValue).join(', ') : undefined;
}

function linkValue({ target, rel, attributes = {} }: Link): string {
  const parameters = Object.entries({ rel, ...attributes }).map(([name, value]) => `; ${name}=${quotedString(value)}`);
  return `<${target}>${parameters.join('')}`;
}

function quotedString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/**
 * Sends the client to the server where it is to connect (RFC 9725 section 4.5).
 * @returns false if that is this server
 */
export function redirectElsewhere(req: Request, res: Response, grant: Grant, places: StreamPlaces): boolean {
  const origin = places.placeOf(grant.role, streamIdOf(grant.accountId, grant.streamName));
  if (origin === undefined) return false;
  res.set('Cache-Control', 'no-store').redirect(307, `${origin}${req.originalUrl}`);
  return true;
}
