import type { Socket } from 'node:net';
import type { EncodingSink, MediaPacket, RtpEncoding } from '../producer/rtp-encoding.js';
import type { Source } from '../producer/source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { RouterHandle } from '../stream/router-registry.js';
import type { SourceObserver } from '../stream/router.js';
import { RelayConnection } from './relay-connection.js';
import type { RelayMessage } from './relay-frames.js';

/** A follower names the stream within this time. */
const FOLLOW_TIMEOUT_MS = 5_000;

/**
 * Sends a stream from its home to one other worker, each packet once. It lives as long as the connection.
 */
export class StreamRelay implements SourceObserver {
  readonly #acquireRouter: (stream: string) => RouterHandle;
  readonly #connection: RelayConnection;
  readonly #followTimer: NodeJS.Timeout;
  readonly #sources = new Map<Source, { readonly number: number; readonly encodings: readonly EncodingRelay[] }>();
  #handle: RouterHandle | undefined;
  #lastNumber = 0;

  constructor(socket: Socket, acquireRouter: (stream: string) => RouterHandle) {
    this.#acquireRouter = acquireRouter;
    this.#connection = new RelayConnection(socket, {
      onMessage: (message) => this.#onMessage(message),
      onPacket: () => {},
      onDrain: () => this.#resume(),
      onClosed: () => this.close(),
    });
    this.#followTimer = setTimeout(() => socket.destroy(), FOLLOW_TIMEOUT_MS);
  }

  onSourceAdded(source: Source): void {
    const number = ++this.#lastNumber;
    const tracks = source.tracks.map(({ kind, format, encodingIds }) => ({ kind, format, encodingIds }));
    this.#connection.send({ type: 'source', source: number, id: source.id, tracks });
    const now = performance.now();
    const encodings = source.encodings.map(
      (encoding, index) => new EncodingRelay(encoding, this.#connection, number, index),
    );
    this.#sources.set(source, { number, encodings });
    for (const encoding of encodings) encoding.start(now);
  }

  onSourceRemoved(source: Source): void {
    const relayed = this.#sources.get(source);
    if (!relayed) return;
    this.#sources.delete(source);
    this.#connection.send({ type: 'ended', source: relayed.number });
  }

  close(): void {
    clearTimeout(this.#followTimer);
    this.#connection.close();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.stop();
    this.#sources.clear();
    this.#handle?.router.removeObserver(this);
    this.#handle?.release();
    this.#handle = undefined;
  }

  #onMessage(message: RelayMessage): void {
    if (message.type === 'follow' && !this.#handle) {
      clearTimeout(this.#followTimer);
      this.#handle = this.#acquireRouter(message.stream);
      this.#handle.router.addObserver(this);
      this.#connection.send({ type: 'current' });
    } else if (message.type === 'keyframe') {
      const wanted = [...this.#sources.values()].find(({ number }) => number === message.source);
      wanted?.encodings[message.encoding]?.encoding.requestKeyframe(performance.now());
    }
  }

  #resume(): void {
    const now = performance.now();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.resume(now);
  }
}

/** Sends one encoding to the other worker. When the connection is full, it pauses until the next keyframe. */
class EncodingRelay implements EncodingSink {
  readonly encoding: RtpEncoding;
  /** Undefined, so that it starts with the cached keyframe if that is recent. */
  readonly lastSentAt = undefined;
  readonly #connection: RelayConnection;
  readonly #source: number;
  readonly #index: number;
  #isPaused = false;

  constructor(encoding: RtpEncoding, connection: RelayConnection, source: number, index: number) {
    this.encoding = encoding;
    this.#connection = connection;
    this.#source = source;
    this.#index = index;
  }

  start(now: number): void {
    if (this.encoding.senderReport) this.sendSenderReport(this.encoding.senderReport);
    this.encoding.addSink(this, now);
  }

  stop(): void {
    this.encoding.removeSink(this);
  }

  resume(now: number): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.encoding.addSink(this, now);
  }

  onStart(): void {}

  /** Returns false, because no viewer received the packet yet: the other worker counts it. */
  forward({ sequence, packet }: MediaPacket): false {
    if (!this.#connection.sendPacket(this.#source, this.#index, sequence, packet)) {
      this.#isPaused = true;
      this.encoding.removeSink(this);
    }
    return false;
  }

  sendSenderReport(report: SenderReport): void {
    this.#connection.send({ type: 'clock', source: this.#source, encoding: this.#index, report });
  }

  onEnd(): void {}
}
