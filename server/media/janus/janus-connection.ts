import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { contain } from '../../faults/contain.js';
import { after, every } from '../../faults/timers.js';
import { MediaError } from '../engine/media-error.js';
import {
  awaySince,
  CONNECTING,
  nextConnectionState,
  sessionOf,
  type ConnectionInput,
  type ConnectionState,
  type SignOfLife,
} from './connection-state.js';
import { readJanusMessage, type JanusMessage, type Jsep, type PluginData } from './janus-message.js';
import type { JanusTimes } from './janus-times.js';

export interface JanusConnectionOptions {
  /** `ws:` or `wss:` of the websocket API. */
  readonly url: string;
  /** `api_secret` of janus.jcfg. */
  readonly apiSecret?: string | undefined;
  /** A stored token, if Janus has `token_auth`. */
  readonly token?: string | undefined;
  readonly times: JanusTimes;
  /** The session is open, and had no handles before. */
  readonly onOpen?: (() => void) | undefined;
  /** The session and all its handles are gone. */
  readonly onLost?: ((reason: string) => void) | undefined;
  /** Janus cannot be reached, or refuses. Called for each attempt. */
  readonly onRefused?: ((reason: string) => void) | undefined;
}

/** What a handle is told. */
export interface HandleListener {
  /** The peer is connected. */
  onUp?(): void;
  /** Media of a kind arrives, or no longer. */
  onMedia?(kind: string, isReceiving: boolean): void;
  /** The peer is gone. */
  onHangup?(reason: string): void;
  /** The connection lost its session: the handle does not exist any more. */
  onLost?(): void;
}

export interface PluginAnswer {
  readonly data: PluginData;
  readonly jsep: Jsep | undefined;
}

/** Janus refused a request. */
export class JanusError extends Error {
  override name = 'JanusError';

  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(reason);
  }
}

const RECONNECT_AFTER_MS = 500;
/** Of one message. An offer with all codecs has about 5 kB. */
const MOST_BYTES = 1_000_000;

type Request = Readonly<Record<string, unknown>> & { readonly janus: string };
type Answer = PluginAnswer & { readonly id: number | undefined };

interface Waiting {
  /** Whether the acknowledgement is the answer. */
  readonly untilAck: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The connection to one Janus: a websocket, and a session on it. A websocket that breaks is replaced, and its session
 * claimed: the media goes on meanwhile. If Janus was restarted, all handles are lost.
 */
export class JanusConnection {
  readonly #options: JanusConnectionOptions;
  #state: ConnectionState = CONNECTING;
  #socket: WebSocket | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #handles = new Map<number, HandleListener>();
  #lastSign: SignOfLife = signOfLife();
  /** Handles that were given up while there was no websocket. */
  readonly #undetached = new Set<number>();
  readonly #keepalive: NodeJS.Timeout;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: JanusConnectionOptions) {
    this.#options = options;
    this.#keepalive = every('media', options.times.keepaliveEvery, () => this.#keepAlive()).unref();
    this.#connect();
  }

  get url(): string {
    return this.#options.url;
  }

  get isOpen(): boolean {
    return this.#state.name === 'open';
  }

  /**
   * Since when there is no sign of life in an open session, if that is for too long, in milliseconds since 1970.
   * Undefined: all is well.
   */
  get awaySince(): number | undefined {
    return awaySince(this.#lastSign, performance.now(), this.#options.times.awayAfter);
  }

  /** @throws {MediaError} `engine_unavailable` @throws {JanusError} */
  async attach(plugin: string, listener: HandleListener = {}): Promise<JanusHandle> {
    const session = sessionOf(this.#state);
    const { id } = await this.#ask({ janus: 'attach', plugin });
    if (id === undefined || session === undefined || session !== sessionOf(this.#state)) throw this.#unavailable();
    this.#handles.set(id, listener);
    return {
      request: (body, jsep) => this.#ask({ janus: 'message', handle_id: id, body, ...(jsep && { jsep }) }),
      detach: async () => {
        if (this.#handles.delete(id)) await this.#detach(id);
      },
    };
  }

  async #detach(id: number): Promise<void> {
    try {
      await this.#ask({ janus: 'detach', handle_id: id });
    } catch {
      // Its peer must not stay connected when the session is claimed.
      if (this.#state.name === 'reclaiming') this.#undetached.add(id);
    }
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    if (this.isOpen) await this.#ask({ janus: 'destroy' }).catch(() => {});
    clearInterval(this.#keepalive);
    clearTimeout(this.#retry);
    this.#apply({ name: 'close' }, 'closed');
    this.#socket?.close();
    this.#fail();
  }

  #apply(input: ConnectionInput, reason: string): void {
    const before = this.#state;
    const after = (this.#state = nextConnectionState(before, input));
    if (input.name === 'joined' && this.isOpen) this.#lastSign = signOfLife();
    if (sessionOf(before) === undefined || sessionOf(after) === sessionOf(before)) return;
    const handles = Array.from(this.#handles.values());
    this.#handles.clear();
    this.#undetached.clear();
    for (const handle of handles) handle.onLost?.();
    if (after.name !== 'closed') this.#options.onLost?.(reason);
  }

  #connect(): void {
    const socket = (this.#socket = new WebSocket(this.#options.url, 'janus-protocol', {
      handshakeTimeout: this.#options.times.answerWithin,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
    }));
    let fault = 'the websocket was closed';
    socket.on('error', (error) => (fault = error.message));
    socket.on(
      'message',
      contain('media', (frame) => this.#receive(readJanusMessage(String(frame)))),
    );
    socket.on(
      'close',
      contain('media', () => this.#onSocketClosed(fault)),
    );
    socket.on(
      'open',
      contain('media', () => {
        this.#join().catch((error: unknown) => {
          fault = error instanceof Error ? error.message : String(error);
          socket.terminate();
        });
      }),
    );
  }

  /** Claims the session that may still exist, or creates one. */
  async #join(): Promise<void> {
    const kept = sessionOf(this.#state);
    if (kept !== undefined) {
      try {
        await this.#send({ janus: 'claim', session_id: kept });
        this.#apply({ name: 'joined', session: kept }, '');
        const undetached = Array.from(this.#undetached);
        this.#undetached.clear();
        await Promise.all(undetached.map((id) => this.#detach(id)));
        return;
      } catch (error) {
        if (!(error instanceof JanusError)) throw error;
        this.#apply({ name: 'session-lost' }, error.message);
      }
    }
    const { id } = await this.#send({ janus: 'create' });
    if (id === undefined) throw new Error('Janus gave no session');
    this.#apply({ name: 'joined', session: id }, '');
    this.#options.onOpen?.();
  }

  #onSocketClosed(fault: string): void {
    this.#fail();
    if (this.#state.name === 'closed') return;
    const now = performance.now();
    this.#apply({ name: 'socket-lost', until: now + this.#options.times.reclaimWithin }, fault);
    this.#apply({ name: 'time-passed', now }, fault);
    this.#options.onRefused?.(fault);
    this.#retry = after('media', RECONNECT_AFTER_MS, () => this.#connect());
  }

  #receive(message: JanusMessage): void {
    if (this.isOpen) this.#lastSign = signOfLife();
    switch (message.name) {
      case 'ack':
        if (!this.#waiting.get(message.transaction)?.untilAck) return;
        return this.#answered(message.transaction)?.resolve({ id: undefined, data: {}, jsep: undefined });
      case 'success':
        return this.#answered(message.transaction)?.resolve({ ...message, jsep: undefined });
      case 'error':
        return this.#answered(message.transaction)?.reject(new JanusError(message.code, message.reason));
      case 'event':
        return this.#answered(message.transaction)?.resolve({ ...message, id: undefined });
      case 'webrtcup':
        return this.#handles.get(message.handle)?.onUp?.();
      case 'media':
        return this.#handles.get(message.handle)?.onMedia?.(message.kind, message.isReceiving);
      case 'hangup':
        return this.#handles.get(message.handle)?.onHangup?.(message.reason);
      case 'timeout':
        this.#apply({ name: 'session-lost' }, 'Janus ended the session');
        return this.#socket?.terminate();
      default:
    }
  }

  #answered(transaction: string | undefined): Waiting | undefined {
    const waiting = transaction === undefined ? undefined : this.#waiting.get(transaction);
    if (transaction === undefined || !waiting) return undefined;
    this.#waiting.delete(transaction);
    clearTimeout(waiting.timer);
    return waiting;
  }

  #keepAlive(): void {
    if (!this.isOpen) return;
    this.#ask({ janus: 'keepalive' }).catch(() => this.#socket?.terminate());
  }

  /** In the session. */
  async #ask(request: Request): Promise<Answer> {
    if (this.#state.name !== 'open') throw this.#unavailable();
    return await this.#send({ session_id: this.#state.session, ...request });
  }

  #send(request: Request): Promise<Answer> {
    const transaction = randomUUID();
    const { apiSecret, token, times } = this.#options;
    const credentials = { ...(apiSecret && { apisecret: apiSecret }), ...(token && { token }) };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = after('media', times.answerWithin, () => this.#answered(transaction)?.reject(this.#unavailable()));
    this.#waiting.set(transaction, { untilAck: request.janus === 'keepalive', resolve, reject, timer });
    this.#socket?.send(JSON.stringify({ ...request, transaction, ...credentials }), (error) => {
      if (error) this.#answered(transaction)?.reject(this.#unavailable());
    });
    return promise;
  }

  #fail(): void {
    for (const transaction of Array.from(this.#waiting.keys()))
      this.#answered(transaction)?.reject(this.#unavailable());
  }

  /** Without the address: clients get this message. The log has the address. */
  #unavailable(): MediaError {
    return new MediaError('engine_unavailable', 'Janus cannot be reached');
  }
}

const signOfLife = (): SignOfLife => ({ at: performance.now(), on: Date.now() });

/** A handle of a plugin: one peer connection at most. */
export interface JanusHandle {
  /** @throws {MediaError} `engine_unavailable` @throws {JanusError} */
  request(body: object, jsep?: Jsep): Promise<PluginAnswer>;
  /** Ends it, with its peer connection. */
  detach(): Promise<void>;
}
