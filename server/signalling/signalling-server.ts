import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Admission, ReadmissionResult } from '../admission/admission.js';
import type { GrantSigner } from '../admission/grant-signer.js';
import type { Grant } from '../admission/grant.js';
import type { ResumeTokens } from '../admission/resume-tokens.js';
import type { ViewRequest } from '../../src/wire/websocket/view-request.js';
import { catchErrors } from '../catch-errors.js';
import { ApiError } from '../errors.js';
import type { Sessions } from '../sessions/sessions.js';
import { stopNotice } from '../sessions/stop-notice.js';
import { PendingSessions } from './pending-sessions.js';
import { SignallingConnection } from './signalling-connection.js';
import { UnauthenticatedSockets } from './unauthenticated-sockets.js';
import { errorFrame } from './frame.js';
import { GrantRedemption, type RedeemedGrant } from './grant-redemption.js';
import { refuseUpgrade } from './upgrade-refusal.js';
import { serveSession } from './session-socket.js';

const MOST_FRAME_BYTES = 64 * 1024;
/** How long a client may take to say goodbye when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
/**
 * `/ws/v2/pub/<server id>` and `/ws/v2/sub/<server id>`, as existing services write it. Without a server id, the
 * grant is to come with the first command.
 */
const PREFIX = '/ws/v2/';
export const SOCKET_PATH = /^\/ws\/v2\/(pub|sub)(\/[0-9a-f]{32})?$/;

export interface SignallingDependencies {
  readonly admission: Admission;
  readonly sessions: Sessions;
  readonly grants: GrantSigner;
  readonly resumeTokens: ResumeTokens;
  /** Where a request comes from, proxies unwound. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly now: () => number;
  readonly log: Logger;
}

const REFUSALS = {
  grant_invalid: 'ask the director again: this grant is not one of ours, or not for this kind of websocket',
  grant_expired: 'ask the director again: this grant is too old',
  grant_spent: 'a grant opens one websocket; ask the director for another',
} as const;

/** What became of a redeemed grant: let in, refused by a rule, or not decided because of a fault of ours. */
type Entry =
  | ReadmissionResult
  | { readonly admitted: undefined; readonly status: number; readonly code: string; readonly message: string };

/** The broadcasting websocket: lets grants in, and serves the session of each on its socket. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
  readonly #early: UnauthenticatedSockets;
  readonly #begun: PendingSessions;
  readonly #redemption: GrantRedemption;
  readonly #contained: (listener: (socket: WebSocket) => void) => (socket: WebSocket) => void;

  constructor(dependencies: SignallingDependencies) {
    const { sessions, grants, resumeTokens, log } = dependencies;
    this.#dependencies = dependencies;
    const onFault = (err: unknown) => log.error({ err }, 'a websocket could not be opened');
    this.#contained = (listener) => catchErrors(onFault, listener);
    this.#early = new UnauthenticatedSockets(onFault);
    this.#begun = new PendingSessions(sessions, onFault);
    this.#redemption = new GrantRedemption(grants, resumeTokens, this.#begun);
  }

  /** Takes the upgrades below `/ws/v2/`. Others are left to who else listens to them, and refused if nobody does. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const isOurs = request.url?.startsWith(PREFIX) ?? false;
      if (!isOurs && server.listenerCount('upgrade') > 1) return;
      void this.#upgrade(request, socket, head).catch((err: unknown) => {
        this.#dependencies.log.error({ err }, 'a websocket could not be opened');
        socket.destroy();
      });
    });
  }

  /**
   * Begins a viewer's session with the director's call, ahead of its websocket: that is let in by the same grant, and
   * goes on as if `view` had been asked for there. See `PendingSessions.begin`.
   */
  startSession(grant: Grant, request: ViewRequest, isGone: () => boolean): Promise<object> {
    this.#redemption.spend(grant, this.#dependencies.now());
    return this.#begun.start(grant, request, this.#resumeTokenOf(grant), isGone);
  }

  /** Closes every socket, answering client or not. */
  async close(): Promise<void> {
    const { clients } = this.#sockets;
    for (const socket of clients) socket.close(stopNotice.server_stopping.closeCode);
    const forceCloseTimer = setTimeout(() => clients.forEach((socket) => socket.terminate()), CLOSE_WITHIN_MS);
    await Promise.all([...clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(forceCloseTimer);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'ws://host');
    const [, path, serverId] = SOCKET_PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || !path) return refuseUpgrade(socket, 404, 'route_not_found', 'there is no websocket at this address');
    const role = path === 'pub' ? 'Publish' : 'Subscribe';
    if (!serverId) return this.#upgradeEarly(request, socket, head, role);

    const redeemed = this.#redemption.redeem(url.searchParams.get('token') ?? '', role, this.#dependencies.now());
    if (!redeemed.ok) return refuseUpgrade(socket, 401, redeemed.code, REFUSALS[redeemed.code]);
    const entry = await this.#decide(redeemed, request);
    if (entry.admitted === undefined) return refuseUpgrade(socket, entry.status, entry.code, entry.message);
    let isOpen = false;
    const enter = this.#contained((webSocket: WebSocket) => {
      isOpen = true;
      this.#enter(webSocket, redeemed, entry);
    });
    this.#sockets.handleUpgrade(request, socket, head, enter);
    // The client is gone already, or its handshake is wrong: no websocket will end the session that began.
    if (!isOpen) redeemed.begun?.session.connectionLost();
  }

  #upgradeEarly(request: IncomingMessage, socket: Duplex, head: Buffer, role: Grant['role']): void {
    if (this.#early.isFull) return refuseUpgrade(socket, 503, 'busy', 'too many wait here already; come with a grant');
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#early.add(webSocket, async (token, { transId = null }, frame) => {
        const check = this.#redemption.redeem(token, role, this.#dependencies.now());
        if (!check.ok) {
          webSocket.send(errorFrame(transId, check.code, REFUSALS[check.code]));
          return webSocket.close(1008, check.code);
        }
        const entry = await this.#decide(check, request);
        if (entry.admitted === undefined) {
          webSocket.send(errorFrame(transId, entry.code, entry.message));
          return webSocket.close(1013);
        }
        this.#enter(webSocket, check, entry)?.(frame);
      }),
    );
  }

  /** A session that began with the director's call was decided there, and counts as decided while its client stays. */
  async #decide({ grant, begun }: RedeemedGrant, request: IncomingMessage): Promise<Entry> {
    const place = { origin: request.headers.origin ?? null, address: this.#dependencies.clientAddress(request) };
    if (begun && place.origin === grant.origin && place.address === grant.address) return { admitted: true, grant };
    try {
      return await this.#dependencies.admission.readmit(grant, place);
    } catch (error) {
      begun?.session.abandon();
      if (!(error instanceof ApiError)) throw error;
      return { admitted: undefined, status: error.status, code: error.code, message: error.message };
    }
  }

  /** @returns what takes a frame of the client's, as those that come by themselves; undefined: it is not let in */
  #enter(
    socket: WebSocket,
    { grant, begun }: RedeemedGrant,
    entry: ReadmissionResult,
  ): ((frame: string) => void) | undefined {
    const { sessions, log } = this.#dependencies;
    socket.on('error', (error) => log.debug({ session: grant.sessionId, err: error }, 'websocket failed'));
    // The client left while its grant was decided: no `close` will end its session.
    if (socket.readyState !== socket.OPEN) return void begun?.session.connectionLost();
    begun?.channel.attachSocket(socket);
    const channel = begun?.channel ?? new SignallingConnection(socket);
    if (!entry.admitted) {
      if (begun) begun.session.refuse(entry.reason);
      else sessions.refuse(grant, channel, entry.reason);
      return undefined;
    }
    begun?.session.setRequestContext(entry.grant);
    const session = begun?.session ?? sessions.open(entry.grant, channel);
    if (session.ended) return undefined;
    return serveSession(socket, { session, channel, resumeToken: this.#resumeTokenOf(session.grant), log });
  }

  #resumeTokenOf(grant: Grant): () => string {
    const { resumeTokens, now } = this.#dependencies;
    return () => resumeTokens.issue(grant, now());
  }
}
