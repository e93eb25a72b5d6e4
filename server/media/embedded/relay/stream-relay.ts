import type { Socket } from 'node:net';
import type { RtpEncoding, MediaPacket, EncodingSink } from '../producer/rtp-encoding.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { RouterHandle } from '../worker/sfu.js';
import type { Source } from '../producer/source.js';
import type { SourceObserver } from '../stream/router.js';
import type { RelayMessage } from './relay-frames.js';
import { RelayConnection } from './relay-connection.js';

/** Whoever connects says at once what for. */
const SAY_WITHIN_MS = 5_000;

/**
 * A stream at its home, sent to one other process that has viewers of it: each packet once, whoever watches there.
 * It lives as long as the connection.
 */
export class StreamRelay implements SourceObserver {
  readonly #hold: (stream: string) => RouterHandle;
  readonly #link: RelayConnection;
  readonly #patience: NodeJS.Timeout;
  readonly #sources = new Map<Source, { readonly number: number; readonly encodings: readonly EncodingRelay[] }>();
  #stream: RouterHandle | undefined;
  #lastNumber = 0;

  constructor(socket: Socket, hold: (stream: string) => RouterHandle) {
    this.#hold = hold;
    this.#link = new RelayConnection(socket, {
      onMessage: (message) => this.#hear(message),
      onPacket: () => {},
      onDrain: () => this.#resume(),
      onClosed: () => this.close(),
    });
    this.#patience = setTimeout(() => socket.destroy(), SAY_WITHIN_MS);
  }

  onSourceAdded(source: Source): void {
    const number = ++this.#lastNumber;
    const tracks = source.tracks.map(({ kind, format, encodingIds }) => ({ kind, format, encodingIds }));
    this.#link.send({ type: 'source', source: number, id: source.id, tracks });
    const now = performance.now();
    const encodings = source.encodings.map((encoding, index) => new EncodingRelay(encoding, this.#link, number, index));
    this.#sources.set(source, { number, encodings });
    for (const encoding of encodings) encoding.start(now);
  }

  onSourceRemoved(source: Source): void {
    const relayed = this.#sources.get(source);
    if (!relayed) return;
    this.#sources.delete(source);
    this.#link.send({ type: 'ended', source: relayed.number });
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#link.close();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.stop();
    this.#sources.clear();
    this.#stream?.hub.removeObserver(this);
    this.#stream?.release();
    this.#stream = undefined;
  }

  #hear(message: RelayMessage): void {
    if (message.type === 'follow' && !this.#stream) {
      clearTimeout(this.#patience);
      this.#stream = this.#hold(message.stream);
      this.#stream.hub.addObserver(this);
      this.#link.send({ type: 'current' });
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

/** One encoding on its way to the other process. What does not fit is lost there until the next keyframe. */
class EncodingRelay implements EncodingSink {
  readonly encoding: RtpEncoding;
  /** Whoever comes is sent the newest keyframe, and what followed, where that is fresh. */
  readonly lastSentAt = undefined;
  readonly #link: RelayConnection;
  readonly #source: number;
  readonly #index: number;
  #isHeldBack = false;

  constructor(encoding: RtpEncoding, link: RelayConnection, source: number, index: number) {
    this.encoding = encoding;
    this.#link = link;
    this.#source = source;
    this.#index = index;
  }

  start(now: number): void {
    if (this.encoding.senderReport) this.sendSenderReport(this.encoding.senderReport);
    this.encoding.connect(this, now);
  }

  stop(): void {
    this.encoding.disconnect(this);
  }

  resume(now: number): void {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    this.encoding.connect(this, now);
  }

  onStart(): void {}

  /** Says that it did not send, as nobody has got it who watches. */
  forward({ sequence, packet }: MediaPacket): false {
    if (!this.#link.packet(this.#source, this.#index, sequence, packet)) {
      this.#isHeldBack = true;
      this.encoding.disconnect(this);
    }
    return false;
  }

  sendSenderReport(report: SenderReport): void {
    this.#link.send({ type: 'clock', source: this.#source, encoding: this.#index, report });
  }

  onEnd(): void {}
}
