import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RtpPeer } from '../media/rtp-peer.js';
import { TestClient } from '../stream-server.js';

export interface ClientOptions {
  /** The addresses of the servers. It asks the director of one after the other. */
  readonly origins: readonly string[];
  /** The index of the server that it asks first. */
  readonly first: number;
  readonly streamName: string;
  readonly token: string;
}

const RETRY_MS = 300;
/** How long a server may take for a step. One that is paused accepts connections and does not answer. */
const ANSWER_MS = 3_000;

interface BeginAnswer {
  readonly type: string;
  readonly data: { readonly sdp: string; readonly publisherId?: string; readonly subscriberId?: string };
}

/** A client that connects again whenever its session ends, until it is stopped. */
export abstract class ReconnectingClient {
  readonly options: ClientOptions;
  /** The sessions that the servers have opened for it. */
  readonly sessionIds: string[] = [];
  readonly #role: 'publisher' | 'viewer';
  readonly #ends = new AbortController();
  readonly #running: Promise<void>;
  #socket: WebSocket | undefined;

  constructor(role: 'publisher' | 'viewer', options: ClientOptions) {
    this.#role = role;
    this.options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ends.abort();
    this.#socket?.terminate();
    await this.#running;
  }

  /** Ends the session, as a page that is closed does. The client connects again. */
  leave(): void {
    this.#socket?.terminate();
  }

  /** Sends the command that begins the session. */
  protected abstract begin(client: TestClient, peer: RtpPeer): Promise<BeginAnswer>;

  /** Media can flow. @returns what ends it */
  protected abstract flow(peer: RtpPeer): () => void;

  async #run(): Promise<void> {
    const { origins, first } = this.options;
    await Promise.resolve();
    for (let attempt = first; !this.#ends.signal.aborted; attempt += 1) {
      // A server that does not answer, or refuses, is asked again in the next round.
      await this.#session(origins[attempt % origins.length]!).catch(() => undefined);
      await pause(RETRY_MS, undefined, { signal: this.#ends.signal }).catch(() => undefined);
    }
  }

  async #session(origin: string): Promise<void> {
    const client = await this.#connect(origin);
    const peer = await RtpPeer.open({ role: this.#role });
    const limit = setTimeout(() => client.socket.terminate(), ANSWER_MS);
    let end: (() => void) | undefined;
    try {
      const { type, data } = await this.begin(client, peer);
      if (type !== 'response') return;
      this.sessionIds.push(data.publisherId ?? data.subscriberId!);
      await Promise.race([peer.accept({ answer: data.sdp }), client.closed]);
      clearTimeout(limit);
      end = this.flow(peer);
      await client.closed;
    } finally {
      clearTimeout(limit);
      end?.();
      client.socket.terminate();
      peer.close();
    }
  }

  async #connect(origin: string): Promise<TestClient> {
    const { streamName, token } = this.options;
    const call = this.#role === 'publisher' ? 'publish' : 'subscribe';
    const response = await fetch(`${origin}/api/director/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#ends.signal]),
    });
    const { status, data } = await response.json();
    if (status !== 'success') throw new Error(data.code);
    const socket = new WebSocket(`${data.urls[0]}?token=${data.jwt}`, { handshakeTimeout: ANSWER_MS });
    this.#socket = socket;
    const client = new TestClient(socket);
    await once(socket, 'open');
    socket.on('error', () => {});
    if (this.#ends.signal.aborted) socket.terminate();
    return client;
  }
}
