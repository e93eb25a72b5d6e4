import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { GrantLedger } from '../admission/grant-ledger.js';
import type { GrantSigner } from '../admission/grant-signer.js';
import { GRANT_LIFETIME_S, type Grant } from '../admission/grant.js';
import type { ResumeCheck, ResumeTokens } from '../admission/resume-tokens.js';
import type { ViewRequest } from '../../src/wire/view-request.js';
import type { Sessions } from '../sessions/sessions.js';
import { stopNotice } from '../sessions/stop-notice.js';
import { BegunSessions } from './begun-sessions.js';
import { Channel } from './channel.js';
import { EarlySockets } from './early-sockets.js';
import { errorFrame } from './frame.js';
import { serveSession } from './serve-session.js';

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
  readonly sessions: Sessions;
  readonly grants: GrantSigner;
  readonly resumeTokens: ResumeTokens;
  /** Where a request comes from, proxies unwound. */
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly now: () => number;
  readonly log: Logger;
}

const REFUSALS = {
  grant_invalid: 'ask the director again: this grant is not one of ours, or not for this address',
  grant_expired: 'ask the director again: this grant is too old',
  grant_spent: 'a grant opens one websocket; ask the director for another',
} as const;

/** The broadcasting websocket: lets grants in, and serves the session of each on its socket. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
  readonly #ledger = new GrantLedger();
  readonly #early = new EarlySockets();
  readonly #begun: BegunSessions;

  constructor(dependencies: SignallingDependencies) {
    this.#dependencies = dependencies;
    this.#begun = new BegunSessions(dependencies.sessions);
  }

  /** Takes the upgrades below `/ws/v2/`. Others are left to who else listens to them, and refused if nobody does. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      const isOurs = request.url?.startsWith(PREFIX) ?? false;
      if (isOurs || server.listenerCount('upgrade') === 1) this.#upgrade(request, socket, head);
    });
  }

  /**
   * Begins a viewer's session with the director's call, ahead of its websocket: that is let in by the same grant, and
   * goes on as if `view` had been asked for there. See `BegunSessions.begin`.
   */
  begin(grant: Grant, request: ViewRequest, isGone: () => boolean): Promise<object> {
    const now = this.#dependencies.now();
    this.#ledger.spend(grant.sessionId, now + GRANT_LIFETIME_S * 1000, now);
    return this.#begun.begin(grant, request, this.#resumeTokenOf(grant), isGone);
  }

  /** Closes every socket, answering client or not. */
  async close(): Promise<void> {
    const { clients } = this.#sockets;
    for (const socket of clients) socket.close(stopNotice.server_stopping.closeCode);
    const impatience = setTimeout(() => clients.forEach((socket) => socket.terminate()), CLOSE_WITHIN_MS);
    await Promise.all([...clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(impatience);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'ws://host');
    const [, path, serverId] = SOCKET_PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || !path) return refuse(socket, 404, 'route_not_found', 'there is no websocket at this address');
    const role = path === 'pub' ? 'Publish' : 'Subscribe';
    if (!serverId) return this.#upgradeEarly(request, socket, head, role);

    const token = url.searchParams.get('token') ?? '';
    const check = this.#admit(token, role, request);
    if (!check.ok) return refuse(socket, 401, check.code, REFUSALS[check.code]);
    const { grant } = check;
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#enter(webSocket, grant));
  }

  #upgradeEarly(request: IncomingMessage, socket: Duplex, head: Buffer, role: Grant['role']): void {
    if (this.#early.full) return refuse(socket, 503, 'busy', 'too many wait here already; come with a grant');
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#early.wait(webSocket, (token, { transId }, frame) => {
        const check = this.#admit(token, role, request);
        if (check.ok) return this.#enter(webSocket, check.grant)?.(frame);
        webSocket.send(errorFrame(transId ?? null, check.code, REFUSALS[check.code]));
        webSocket.close(1008, check.code);
      }),
    );
  }

  /** A grant of the director's, or what a session before gave its client to come back with. Either is good once. */
  #admit(token: string, role: Grant['role'], request: IncomingMessage): ResumeCheck {
    const { grants, resumeTokens, clientAddress } = this.#dependencies;
    const now = this.#dependencies.now();
    const check = grants.check(token, now);
    if (!check.ok) {
      if (check.code === 'grant_expired') return check;
      const place = { origin: request.headers.origin ?? null, address: clientAddress(request) };
      return resumeTokens.redeem(token, { role, ...place }, now);
    }
    if (check.grant.role !== role) return { ok: false, code: 'grant_invalid' };
    if (this.#begun.has(check.grant.sessionId)) return check;
    const isFirst = this.#ledger.spend(check.grant.sessionId, check.expiresAt, now);
    return isFirst ? check : { ok: false, code: 'grant_spent' };
  }

  /** @returns what takes a frame of the client's, as those that come by themselves; undefined: it is not let in any more */
  #enter(socket: WebSocket, grant: Grant): ((frame: string) => void) | undefined {
    const { sessions, log } = this.#dependencies;
    socket.on('error', (error) => log.debug({ session: grant.sessionId, err: error }, 'websocket failed'));
    const begun = this.#begun.take(grant.sessionId);
    begun?.channel.connect(socket);
    const channel = begun?.channel ?? new Channel(socket);
    const session = begun?.session ?? sessions.open(grant, channel);
    if (session.ended) return undefined;
    return serveSession(socket, { session, channel, resumeToken: this.#resumeTokenOf(session.grant), log });
  }

  #resumeTokenOf(grant: Grant): () => string {
    const { resumeTokens, now } = this.#dependencies;
    return () => resumeTokens.issue(grant, now());
  }
}

function refuse(socket: Duplex, status: number, code: string, message: string): void {
  const body = JSON.stringify({ status: 'fail', data: { message, code } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
