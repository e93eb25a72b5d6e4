import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Admission, ReadmissionResult } from '../admission/admission.js';
import type { Grant } from '../admission/grant.js';
import type { ResumeTokens } from '../admission/resume-tokens.js';
import { ApiError, NotFoundError, UnauthorizedError } from '../errors.js';
import { attempt, contain } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import type { Entrance } from '../sessions/entrance.js';
import type { GrantRedemption, RedeemedGrant } from '../sessions/grant-redemption.js';
import { SessionOutbox } from '../sessions/session-events.js';
import type { ServerLoad } from '../sessions/server-load.js';
import type { Sessions } from '../sessions/sessions.js';
import type { UnconnectedSessions } from '../sessions/unconnected-sessions.js';
import { stopNotice } from '../sessions/stop-notice.js';
import { deviceClassOf } from './device-class.js';
import { errorFrame } from './frame.js';
import type { PublisherRecording } from './recording-commands.js';
import { serveSession } from './session-socket.js';
import type { RewindOfSession } from './viewer-commands.js';
import { SignallingConnection } from './signalling-connection.js';
import { UnauthenticatedSockets } from './unauthenticated-sockets.js';
import { GRANT_REFUSALS, refuseUpgrade } from './upgrade-refusal.js';
import type { WaitingGuests } from './waiting-guests.js';

const MAX_FRAME_BYTES = 64 * 1024;
/** How long a client may take to close its websocket when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
/**
 * `/ws/v2/pub/<server id>` and `/ws/v2/sub/<server id>`, as in existing services. Without a server id, the first command
 * brings the grant.
 */
const PREFIX = '/ws/v2/';
export const SOCKET_PATH = /^\/ws\/v2\/(pub|sub)(\/[0-9a-f]{32})?$/;

export interface SignallingDependencies {
  readonly admission: Pick<Admission, 'readmit'>;
  readonly sessions: Sessions;
  readonly unconnected: Pick<UnconnectedSessions, 'requireRoom'>;
  readonly entrance: Pick<Entrance, 'requireOpen'>;
  readonly redemption: GrantRedemption;
  readonly resumeTokens: ResumeTokens;
  readonly recording: PublisherRecording;
  readonly guests: Pick<WaitingGuests, 'add'>;
  /** The address of the client behind the trusted proxies. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly load: Pick<ServerLoad, 'turn'>;
  /** The id of a request. */
  readonly identify: (request: IncomingMessage) => string;
  readonly rewindOf: RewindOfSession;
  readonly now: () => number;
  readonly log: Logger;
}

/** The outcome for a redeemed grant: admitted, refused by a rule, or not decided because of an error of the server. */
type Readmission = ReadmissionResult | { readonly admitted: undefined; readonly refusal: ApiError };

/** The websocket of publishers and viewers: admits a grant and serves its session. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  readonly #unauthenticated: UnauthenticatedSockets;

  constructor(dependencies: SignallingDependencies) {
    this.#dependencies = dependencies;
    this.#unauthenticated = new UnauthenticatedSockets();
  }

  /**
   * Serves the upgrades below `/ws/v2/`. Other upgrades are left to other listeners, and refused if there are none.
   * @param isAlone no other listener serves upgrades, although some may count them
   */
  attach(server: Server, { isAlone = false } = {}): void {
    server.on(
      'upgrade',
      contain('signalling', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        const isSignalling = request.url?.startsWith(PREFIX) ?? false;
        if (!isSignalling && !isAlone && server.listenerCount('upgrade') > 1) return;
        const onFault = () => socket.destroy();
        attempt('signalling', () => this.#upgrade(request, socket, head), { onFault });
      }),
    );
  }

  /** Closes every websocket, and terminates those that do not close in time. */
  async close(): Promise<void> {
    // From now on, an upgrade whose decision ends late is answered with 503.
    this.#sockets.close();
    const { clients } = this.#sockets;
    for (const socket of clients) socket.close(stopNotice.server_stopping.closeCode);
    const forceCloseTimer = after('signalling', CLOSE_WITHIN_MS, () => clients.forEach((socket) => socket.terminate()));
    await Promise.all([...clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(forceCloseTimer);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'ws://host');
    const [, path, serverId] = SOCKET_PATH.exec(url?.pathname ?? '') ?? [];
    const { identify, log } = this.#dependencies;
    const requestId = identify(request);
    const refuse = (refusal: ApiError) => {
      const { status, code } = refusal;
      log.debug({ request: requestId, method: request.method, status, code }, 'a request was refused');
      refuseUpgrade(socket, refusal, requestId);
    };
    if (!url || !path) return refuse(new NotFoundError('route_not_found', 'there is no websocket at this address'));
    const role = path === 'pub' ? 'Publish' : 'Subscribe';
    if (!serverId) return this.#upgradeUnauthenticated(request, socket, head, role);

    const redeemed = this.#redeem(url.searchParams.get('token') ?? '', role);
    if (!redeemed.ok) return refuse(new UnauthorizedError(redeemed.code, GRANT_REFUSALS[redeemed.code]));
    const readmission = await this.#readmit(redeemed, request);
    if (readmission.admitted === undefined) return refuse(readmission.refusal);
    let isOpen = false;
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      const containment = { of: { session: redeemed.grant.sessionId }, onFault: () => webSocket.terminate() };
      attempt('signalling', () => this.#openSession(webSocket, request, redeemed, readmission), containment);
    });
    // The client is gone already or its handshake is invalid: no websocket will end the pending session.
    if (!isOpen) redeemed.pending?.session.connectionLost();
  }

  #upgradeUnauthenticated(request: IncomingMessage, socket: Duplex, head: Buffer, role: Grant['role']): void {
    const { guests, clientAddress } = this.#dependencies;
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const address = clientAddress(request);
      this.#unauthenticated.add(webSocket, address, {
        await: role === 'Subscribe' ? (command) => guests.add(webSocket, address, command) : undefined,
        redeem: async (token, { transId = null }, frame) => {
          const check = this.#redeem(token, role);
          if (!check.ok) {
            webSocket.send(errorFrame(transId, check.code, GRANT_REFUSALS[check.code]));
            return webSocket.close(1008, check.code);
          }
          const readmission = await this.#readmit(check, request);
          if (readmission.admitted === undefined) {
            const { code, message } = readmission.refusal;
            webSocket.send(errorFrame(transId, code, message));
            return webSocket.close(1013);
          }
          this.#openSession(webSocket, request, check, readmission)?.(frame);
        },
      });
    });
  }

  #redeem(token: string, role: Grant['role']) {
    const { redemption, now } = this.#dependencies;
    return redemption.redeem(token, role, now());
  }

  /** The director's call decided about a pending session. The decision holds if the request comes from the same client. */
  async #readmit({ grant, pending }: RedeemedGrant, request: IncomingMessage): Promise<Readmission> {
    const { admission, entrance, unconnected, clientAddress } = this.#dependencies;
    const context = { origin: request.headers.origin ?? null, address: clientAddress(request) };
    const isSameClient = context.origin === grant.origin && context.address === grant.address;
    if (pending && isSameClient) return { admitted: true, grant };
    try {
      entrance.requireOpen();
      const readmission = await admission.readmit(grant, context);
      // The server may have begun to stop meanwhile: nobody would end a session that opens now.
      entrance.requireOpen();
      if (readmission.admitted) unconnected.requireRoom(context.address);
      return readmission;
    } catch (error) {
      pending?.session.abandon();
      if (!(error instanceof ApiError)) throw error;
      return { admitted: undefined, refusal: error };
    }
  }

  /** @returns handles a frame that was read before; undefined if the client was refused */
  #openSession(
    socket: WebSocket,
    request: IncomingMessage,
    { grant, pending }: RedeemedGrant,
    readmission: ReadmissionResult,
  ): ((frame: string) => void) | undefined {
    const { sessions, resumeTokens, recording, rewindOf, identify, clientAddress, load, now, log } = this.#dependencies;
    socket.on(
      'error',
      contain('signalling', (error) => log.debug({ session: grant.sessionId, err: error }, 'websocket failed')),
    );
    // The client left during the decision: no `close` event will end the pending session.
    if (socket.readyState !== socket.OPEN) return void pending?.session.connectionLost();
    const connection = new SignallingConnection(socket);
    const outbox = pending?.outbox ?? new SessionOutbox();
    outbox.attach(connection);
    if (!readmission.admitted) {
      if (pending) pending.session.refuse(readmission.reason);
      else sessions.refuse(grant, outbox, readmission.reason);
      return undefined;
    }
    pending?.session.setRequestContext(readmission.grant);
    const opening = { protocol: 'websocket', requestId: identify(request) } as const;
    const session = pending?.session ?? sessions.open(readmission.grant, outbox, opening);
    if (session.ended) return undefined;
    const issueResumeToken = () => resumeTokens.issue(session.grant, now());
    const device = deviceClassOf(request.headers['user-agent']);
    const turn = (bytes: number) =>
      load.turn({
        bytes,
        address: () => clientAddress(request),
        isGone: () => socket.readyState !== socket.OPEN,
      });
    return serveSession(socket, {
      session,
      outbox,
      connection,
      issueResumeToken,
      device,
      recording,
      rewindOf,
      turn,
      log,
    });
  }
}
