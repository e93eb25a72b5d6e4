import type { Response } from 'express';
import type { IngestDependencies } from './ingest-dependencies.js';
import type { IngestSession } from './ingest-sessions.js';
import { iceServerLinks, linkHeader, type Link } from './link-header.js';
import { SDP } from './sdp-body.js';

/** Where sessions have their URLs. */
export const SESSIONS_PATH = '/api/sessions';

/** What an event stream of a WHEP session can tell. */
const EVENTS = 'active,updated,inactive,layers,viewercount,reconnect';

/** Answers that there is a session now: its URL, the SDP answer, STUN and TURN servers, and what else it can do. */
export function sendSessionCreated(res: Response, session: IngestSession, dependencies: IngestDependencies): void {
  const { iceServers, publicUrl, now } = dependencies;
  const url = sessionUrl(publicUrl, session.key);
  const links = [
    ...iceServerLinks(iceServers.forSession(session.session.id, now())),
    ...(session.protocol === 'WHEP' ? extensions(url) : []),
  ];
  const link = linkHeader(links);
  res.status(201).set({ Location: url, ETag: `"${session.entityTag}"`, 'Cache-Control': 'no-store' });
  if (link !== undefined) res.set('Link', link);
  // Bare: there are clients that compare it as a whole, and Express adds a charset to whatever it sets itself.
  res.setHeader('Content-Type', SDP);
  res.send(Buffer.from(session.answer));
}

/** Without a public address a path alone: whatever proxies stand between, it is right. */
export function sessionUrl(publicUrl: string | undefined, key: string): string {
  return `${publicUrl?.replace(/\/+$/, '') ?? ''}${SESSIONS_PATH}/${key}`;
}

/** The two extensions of the WHEP draft (wire-facts 4.3). */
function extensions(url: string): Link[] {
  return [
    {
      target: `${url}/events`,
      rel: 'urn:ietf:params:whep:ext:core:server-sent-events',
      attributes: { events: EVENTS },
    },
    { target: `${url}/layer`, rel: 'urn:ietf:params:whep:ext:core:layer' },
  ];
}
