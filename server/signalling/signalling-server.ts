import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { GrantLedger } from '../admission/grant-ledger.js';
import type { Enforcement } from '../admission/enforcement.js';
import type { GrantSigner } from '../admission/grant-signer.js';
import type { Grant } from '../admission/grant.js';
import { MediaError, type MediaEngine } from '../media/media-engine.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { Channel } from './channel.js';
import { errorFrame, readFrame, responseFrame } from './frame.js';
import { keepAlive } from './heartbeat.js';
import { PublisherSession } from './publisher-session.js';
import type { Session, SessionContext } from './session.js';
import { SignallingError } from './signalling-error.js';
import { stopNotice } from './stop-notice.js';
import { ViewerSession } from './viewer-session.js';

const MOST_FRAME_BYTES = 64 * 1024;
/** How long a client may take to say goodbye when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
/** `/ws/v2/pub/<server id>` and `/ws/v2/sub/<server id>`, as existing services write it. */
const PREFIX = '/ws/v2/';
const PATH = /^\/ws\/v2\/(pub|sub)\/[0-9a-f]{32}$/;

export interface SignallingDependencies {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  readonly grants: GrantSigner;
  readonly enforcement: Enforcement;
  readonly now: () => number;
  readonly log: Logger;
}

/** The broadcasting websocket: lets grants in, and hands each socket to a session of its role. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #context: SessionContext;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
  readonly #ledger = new GrantLedger();
  readonly #sessions = new Set<Session>();

  constructor(dependencies: SignallingDependencies) {
    this.#dependencies = dependencies;
    this.#context = { engine: dependencies.engine, streams: dependencies.streams, owners: new Map() };
    dependencies.engine.on('session-lost', (mediaId, cause) => this.#context.owners.get(mediaId)?.stop(cause));
  }

  /** Takes the upgrades below `/ws/v2/`. Others are left to who else listens to them, and refused if nobody does. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      const isOurs = request.url?.startsWith(PREFIX) ?? false;
      if (isOurs || server.listenerCount('upgrade') === 1) this.#upgrade(request, socket, head);
    });
  }

  /** Tells every session that the server stops, and closes every socket, answering client or not. */
  async close(): Promise<void> {
    for (const session of this.#sessions) session.stop('server_stopping');
    const { clients } = this.#sockets;
    for (const socket of clients) socket.close(stopNotice.server_stopping.closeCode);
    const impatience = setTimeout(() => clients.forEach((socket) => socket.terminate()), CLOSE_WITHIN_MS);
    await Promise.all([...clients].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(impatience);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'ws://host');
    const [, path] = PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || !path) return refuse(socket, 404, 'route_not_found', 'there is no websocket at this address');

    const now = this.#dependencies.now();
    const check = this.#dependencies.grants.check(url.searchParams.get('token') ?? '', now);
    if (!check.ok)
      return refuse(socket, 401, check.code, 'ask the director again: this grant is not good, or no longer');
    const { grant, expiresAt } = check;
    if ((grant.role === 'Publish') !== (path === 'pub')) {
      return refuse(socket, 401, 'grant_invalid', 'this grant is for the other role');
    }
    if (!this.#ledger.spend(grant.sessionId, expiresAt, now)) {
      return refuse(socket, 401, 'grant_spent', 'a grant opens one websocket; ask the director for another');
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, grant));
  }

  #open(socket: WebSocket, grant: Grant): void {
    const { log, enforcement } = this.#dependencies;
    const channel = new Channel(socket);
    const session = this.#sessionFor(grant, channel);
    socket.on('error', (error) => log.debug({ session: session.id, err: error }, 'websocket failed'));
    // The token may have changed since the director said yes.
    const verdict = enforcement.begin(session);
    if (!verdict.allowed) return session.refuse(verdict.reason);

    this.#sessions.add(session);
    const { id, streamId } = session;
    const named = { session: id, role: grant.role, stream: streamId, tokenId: grant.tokenId };
    log.info(named, 'session opened');
    keepAlive(socket);
    socket.on('message', (data, isBinary) => {
      void this.#answer(session, channel, isBinary ? '' : data.toString());
    });
    socket.on('close', (closeCode) => {
      session.end();
      enforcement.end(session);
      this.#sessions.delete(session);
      log.info({ ...named, closeCode }, 'session closed');
    });
  }

  #sessionFor(grant: Grant, channel: Channel): Session {
    const { tokenId } = grant;
    return grant.role === 'Publish' && tokenId !== null
      ? new PublisherSession({ ...grant, tokenId }, channel, this.#context)
      : new ViewerSession(grant, channel, this.#context);
  }

  /** Every command is answered: clients wait without a limit (wire-facts 0.6). */
  async #answer(session: Session, channel: Channel, text: string): Promise<void> {
    const reading = readFrame(text);
    if (!reading.ok) return channel.send(errorFrame(reading.transId, 'invalid_frame', reading.message));

    const transId = reading.command.transId ?? null;
    try {
      channel.send(responseFrame(transId, await session.handle(reading.command)));
    } catch (error) {
      if (error instanceof SignallingError || error instanceof MediaError) {
        return channel.send(errorFrame(transId, error.code, error.message));
      }
      this.#dependencies.log.error({ session: session.id, err: error }, 'a command failed');
      channel.send(errorFrame(transId, 'internal', 'something went wrong here; the server log tells more'));
    }
  }
}

function refuse(socket: Duplex, status: number, code: string, message: string): void {
  const body = JSON.stringify({ status: 'fail', data: { message, code } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
