import { randomBytes } from 'node:crypto';
import type { Router } from 'express';
import type { Logger } from 'pino';
import { IceServers } from '../admission/ice-servers.js';
import type { Config } from '../config/config.js';
import { descriptorLimit, placesFor } from '../connection-limits.js';
import { HttpListener } from '../http-listener.js';
import { Director } from '../http/director/director.js';
import { createClientAddress, isFromProxy, type ClientAddress } from '../http/request/client-address.js';
import { requestIdentifier, type RequestFollowing } from '../http/request/request-id.js';
import { requestTurn, type RequestTurn } from '../http/request/request-turn.js';
import { ingestRoutes } from '../ingest/ingest-routes.js';
import { IngestSessions } from '../ingest/ingest-sessions.js';
import type { Entrance } from '../sessions/entrance.js';
import type { ServerLoad } from '../sessions/server-load.js';
import { SignallingServer } from '../signalling/signalling-server.js';
import { WaitingGuests } from '../signalling/waiting-guests.js';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { OpenedAdmission } from './open-admission.js';
import type { OpenedMedia } from './open-media.js';
import type { OpenedRecording } from './open-recording.js';
import { openRewind } from './open-rewind.js';
import type { OpenedSessions } from './open-sessions.js';
import { openTracing } from './open-tracing.js';
import type { OpenedResources } from './opened-resources.js';

/** They take 500 MB. */
const MOST_WAITING_GUESTS = 50_000;
/** Further guests are told of the start while fewer calls wait: an eighth of what may wait, in the unit of their costs. */
const MOST_CALLS_AHEAD = 1_024;
/** And while fewer sessions connect, of the 500 that may: beyond, the oldest would be ended. */
const MOST_CONNECTING_AHEAD = 350;

/** What publishers and viewers call over HTTP and websockets. */
export interface OpenedClients {
  readonly director: Director;
  /** WHIP and WHEP. */
  readonly ingest: Router;
  /** Going back in recorded streams. */
  readonly rewind: Router;
  /** Files of recordings for CDNs. */
  readonly segments: Router;
  readonly signalling: SignallingServer;
  readonly listener: HttpListener;
  readonly clientAddress: ClientAddress;
  readonly turn: RequestTurn;
  readonly following: RequestFollowing;
}

export interface OpenClientsOptions
  extends
    Pick<OpenedMedia, 'streams' | 'places' | 'hasFrames'>,
    Pick<OpenedAdmission, 'admission' | 'viewings'>,
    Omit<OpenedSessions, 'close'> {
  readonly config: Config;
  readonly monitor: DatabaseMonitor;
  readonly keys: ServerKeys;
  readonly directory: TokenDirectory;
  readonly entrance: Entrance;
  readonly guests: WaitingGuests;
  readonly load: ServerLoad;
  readonly recorded: Pick<OpenedRecording, 'control' | 'rewind'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The viewers without a token who come before their stream. */
export function openWaitingGuests({
  admission,
  streams,
  directory,
  unconnected,
  load,
}: Pick<OpenClientsOptions, 'admission' | 'streams' | 'directory' | 'unconnected' | 'load'>): WaitingGuests {
  return new WaitingGuests({
    shownToGuests: (accountId, streamName) => admission.shownToGuests(accountId, streamName),
    streams,
    tokens: directory,
    hasRoom: () => load.waiting < MOST_CALLS_AHEAD && unconnected.size < MOST_CONNECTING_AHEAD,
    mostWaiting: placesFor(descriptorLimit(), MOST_WAITING_GUESTS),
  });
}

/** @throws {ConfigError} OpenTelemetry cannot be used */
export async function openClients(opened: OpenedResources, options: OpenClientsOptions): Promise<OpenedClients> {
  const { config, monitor, directory, places, hasFrames, admission, sessions, pending, grants, now, log } = options;
  const { entrance, guests, load, redemption, resumeTokens, unconnected } = options;
  const { control: recording, rewind: recordings } = options.recorded;
  const clientAddress = createClientAddress(config.trustedProxies, {
    header: config.clientAddressHeader,
    onUntrustedForward: (peer) =>
      log.warn({ peer }, 'a peer that TRUSTED_PROXIES does not name sent a forwarding header: it is ignored'),
  });
  const identify = requestIdentifier(isFromProxy(config.trustedProxies));
  const tracing = await openTracing(opened, config, { monitor, requestIdOf: identify });
  const turn = requestTurn(load, clientAddress);
  const rewind = openRewind({ ...options, recordings, clientAddress, turn });

  const listener = new HttpListener();
  opened.add(() => listener.close());
  const signalling = new SignallingServer({
    admission,
    guests,
    entrance,
    rewindOf: (grant, sourceId) => rewind.access.ofSession(grant, sourceId),
    sessions,
    unconnected,
    redemption,
    resumeTokens,
    recording: { control: recording, permits: (tokenId) => directory.findById(tokenId)?.record ?? false },
    clientAddress,
    load,
    identify,
    now,
    log,
  });
  opened.add(() => signalling.close());

  const iceServers = new IceServers(config);
  const director = new Director({
    admission,
    grants,
    iceServers,
    clientAddress,
    viewerSessions: pending,
    recording,
    hasFrames,
    now,
    serverId: randomBytes(16).toString('hex'),
    places,
    entrance,
    turn,
  });
  const ingest = ingestRoutes({
    admission,
    sessions: new IngestSessions(sessions, unconnected),
    iceServers,
    clientAddress,
    places,
    entrance,
    turn,
    now,
    log,
  });
  return {
    director,
    ingest,
    rewind: rewind.routes,
    segments: rewind.segments,
    signalling,
    listener,
    clientAddress,
    turn,
    following: { identify, trace: tracing && tracing.request.bind(tracing) },
  };
}
