import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { GrantLedger } from '../admission/grant-ledger.js';
import type { GrantSigner } from '../admission/grant-signer.js';
import { GRANT_LIFETIME_S, type Grant } from '../admission/grant.js';
import type { ResumeCheck, ResumeTokens } from '../admission/resume-tokens.js';
import type { ViewRequest } from '../../src/wire/view-request.js';
import { MediaError } from '../media/media-engine.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { SessionError } from '../sessions/session-error.js';
import { sessionRefusal, stoppedEarly } from '../sessions/session-refusal.js';
import type { Sessions } from '../sessions/sessions.js';
import { stopNotice } from '../sessions/stop-notice.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { Allowance } from './allowance.js';
import { BegunSessions } from './begun-sessions.js';
import { Channel } from './channel.js';
import { carryOut, type Answer, type Commands } from './commands.js';
import { EarlySockets } from './early-sockets.js';
import { errorFrame, readFrame, responseFrame, type Command } from './frame.js';
import { keepAlive } from './heartbeat.js';
import { publisherCommands } from './publisher-commands.js';
import { SignallingError } from './signalling-error.js';
import { view, viewerCommands } from './viewer-commands.js';

const MOST_FRAME_BYTES = 64 * 1024;
/** How long a client may take to say goodbye when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
/** Whoever opened a websocket says within this time what for, or it is closed. */
const BEGIN_WITHIN_MS = 30_000;
/**
 * Closed against somebody's wish: by a page that goes away, by a connection that breaks, by us when the media was lost,
 * and by our own client where it is about to open another (4000). Clients that are done say 1000, or nothing
 * (RFC 6455 7.4.1).
 */
const LOST: ReadonlySet<number> = new Set([
  1001,
  1006,
  4000,
  stopNotice.transport_lost.closeCode,
  stopNotice.media_engine_restarted.closeCode,
]);
/**
 * `/ws/v2/pub/<server id>` and `/ws/v2/sub/<server id>`, as existing services write it. Without a server id, the
 * grant is to come with the first command.
 */
const PREFIX = '/ws/v2/';
const PATH = /^\/ws\/v2\/(pub|sub)(\/[0-9a-f]{32})?$/;

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

/** The broadcasting websocket: lets grants in, and carries out what each socket asks of its session. */
export class SignallingServer {
  readonly #dependencies: SignallingDependencies;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
  readonly #ledger = new GrantLedger();
  readonly #early = new EarlySockets();
  readonly #begun = new BegunSessions();

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

  /**
   * Begins a viewer's session with the director's call, ahead of its websocket: that is let in by the same grant, and
   * goes on as if `view` had been asked for there.
   * @param isGone whether the caller hung up meanwhile
   * @returns what `view` answers, and `events`: what is true of the stream
   * @throws {ApiError} what the session or its media refuses
   */
  async begin(grant: Grant, request: ViewRequest, isGone: () => boolean): Promise<object> {
    const { sessions, now } = this.#dependencies;
    const time = now();
    this.#ledger.spend(grant.sessionId, time + GRANT_LIFETIME_S * 1000, time);
    const channel = new Channel();
    const session = sessions.openViewer(grant, channel);
    try {
      const { data, afterwards } = await view(session, channel, request, this.#resumeTokenOf(grant));
      afterwards();
      if (channel.stopped) throw stoppedEarly(channel.stopped);
      if (isGone()) session.end();
      else this.#begun.wait({ session, channel });
      return { ...data, events: channel.takeKept().map(({ name, seq, data }) => ({ name, seq, data })) };
    } catch (error) {
      session.end();
      throw channel.stopped ? stoppedEarly(channel.stopped) : sessionRefusal(error);
    }
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
    const [, path, serverId] = PATH.exec(url?.pathname ?? '') ?? [];
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
    socket.on('error', (error) =>
      this.#dependencies.log.debug({ session: grant.sessionId, err: error }, 'websocket failed'),
    );
    const begun = this.#begun.take(grant.sessionId);
    if (begun) {
      begun.channel.connect(socket);
      return this.#serve(socket, begun.session, begun.channel);
    }
    const channel = new Channel(socket);
    return this.#serve(socket, this.#dependencies.sessions.open(grant, channel), channel);
  }

  #serve(
    socket: WebSocket,
    session: PublisherSession | ViewerSession,
    channel: Channel,
  ): ((frame: string) => void) | undefined {
    if (session.ended) return undefined;

    const { log } = this.#dependencies;
    keepAlive(socket);
    const deadline = setTimeout(() => {
      if (!session.begun) session.stop('idle');
    }, BEGIN_WITHIN_MS).unref();
    const commands = this.#commandsOf(session, channel);
    const allowance = new Allowance(performance.now());
    const receive = (frame: string): void => {
      const asked = allowance.take(performance.now());
      if (asked === 'exhausted') return socket.close(1008, 'too_many_commands');
      const carry = asked === 'granted' ? (command: Command) => carryOut(commands, command) : tooMany;
      void this.#answer(session.id, channel, frame, carry);
    };
    socket.on('message', (data, isBinary) => receive(isBinary ? '' : data.toString()));
    socket.on('close', (closeCode) => {
      clearTimeout(deadline);
      log.debug({ session: session.id, closeCode }, 'websocket closed');
      if (LOST.has(closeCode)) session.lose();
      else session.end();
    });
    return receive;
  }

  #commandsOf(session: PublisherSession | ViewerSession, channel: Channel): Commands {
    const resumeToken = this.#resumeTokenOf(session.grant);
    return session.role === 'Publish'
      ? publisherCommands(session, channel, resumeToken)
      : viewerCommands(session, channel, resumeToken);
  }

  #resumeTokenOf(grant: Grant): () => string {
    const { resumeTokens, now } = this.#dependencies;
    return () => resumeTokens.issue(grant, now());
  }

  /** Every command is answered: clients wait without a limit (wire-facts 0.6). */
  async #answer(
    sessionId: string,
    channel: Channel,
    text: string,
    carry: (command: Command) => Promise<Answer>,
  ): Promise<void> {
    const reading = readFrame(text);
    if (!reading.ok) return channel.send(errorFrame(reading.transId, 'invalid_frame', reading.message));

    const transId = reading.command.transId ?? null;
    try {
      const { data, afterwards } = await carry(reading.command);
      channel.send(responseFrame(transId, data));
      afterwards?.();
    } catch (error) {
      if (error instanceof SignallingError || error instanceof SessionError || error instanceof MediaError) {
        return channel.send(errorFrame(transId, error.code, error.message));
      }
      this.#dependencies.log.error({ session: sessionId, err: error }, 'a command failed');
      channel.send(errorFrame(transId, 'internal', 'something went wrong here; the server log tells more'));
    }
  }
}

async function tooMany(): Promise<Answer> {
  throw new SignallingError('too_many_commands', 'too many commands in too short a time; this one was not carried out');
}

function refuse(socket: Duplex, status: number, code: string, message: string): void {
  const body = JSON.stringify({ status: 'fail', data: { message, code } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
