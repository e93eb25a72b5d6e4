import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { GrantLedger } from '../admission/grant-ledger.js';
import type { GrantSigner } from '../admission/grant-signer.js';
import type { Grant } from '../admission/grant.js';
import { MediaError } from '../media/media-engine.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { SessionError } from '../sessions/session-error.js';
import type { Sessions } from '../sessions/sessions.js';
import { stopNotice } from '../sessions/stop-notice.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { Channel } from './channel.js';
import { carryOut, type Commands } from './commands.js';
import { errorFrame, readFrame, responseFrame } from './frame.js';
import { keepAlive } from './heartbeat.js';
import { publisherCommands } from './publisher-commands.js';
import { SignallingError } from './signalling-error.js';
import { viewerCommands } from './viewer-commands.js';

const MOST_FRAME_BYTES = 64 * 1024;
/** How long a client may take to say goodbye when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
/** `/ws/v2/pub/<server id>` and `/ws/v2/sub/<server id>`, as existing services write it. */
const PREFIX = '/ws/v2/';
const PATH = /^\/ws\/v2\/(pub|sub)\/[0-9a-f]{32}$/;

export interface SignallingDependencies {
  readonly sessions: Sessions;
  readonly grants: GrantSigner;
  readonly now: () => number;
  readonly log: Logger;
}

/** The broadcasting websocket: lets grants in, and carries out what each socket asks of its session. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
  readonly #ledger = new GrantLedger();

  constructor(dependencies: SignallingDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes the upgrades below `/ws/v2/`. Others are left to who else listens to them, and refused if nobody does. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      const isOurs = request.url?.startsWith(PREFIX) ?? false;
      if (isOurs || server.listenerCount('upgrade') === 1) this.#upgrade(request, socket, head);
    });
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
    const { sessions, log } = this.#dependencies;
    const channel = new Channel(socket);
    socket.on('error', (error) => log.debug({ session: grant.sessionId, err: error }, 'websocket failed'));
    const session = sessions.open(grant, channel);
    if (session.ended) return;

    keepAlive(socket);
    const commands =
      session.role === 'Publish' ? publisherCommands(session, channel) : viewerCommands(session, channel);
    socket.on('message', (data, isBinary) => {
      void this.#answer(session, commands, channel, isBinary ? '' : data.toString());
    });
    socket.on('close', (closeCode) => {
      log.debug({ session: session.id, closeCode }, 'websocket closed');
      session.end();
    });
  }

  /** Every command is answered: clients wait without a limit (wire-facts 0.6). */
  async #answer(
    { id }: PublisherSession | ViewerSession,
    commands: Commands,
    channel: Channel,
    text: string,
  ): Promise<void> {
    const reading = readFrame(text);
    if (!reading.ok) return channel.send(errorFrame(reading.transId, 'invalid_frame', reading.message));

    const transId = reading.command.transId ?? null;
    try {
      const { data, afterwards } = await carryOut(commands, reading.command);
      channel.send(responseFrame(transId, data));
      afterwards?.();
    } catch (error) {
      if (error instanceof SignallingError || error instanceof SessionError || error instanceof MediaError) {
        return channel.send(errorFrame(transId, error.code, error.message));
      }
      this.#dependencies.log.error({ session: id, err: error }, 'a command failed');
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
