import type { Socket } from 'node:net';
import type { Encoding, MediaPacket, Receiver } from '../encoding.js';
import type { SenderReport } from '../rtp/rtcp.js';
import type { HeldStream } from '../sfu.js';
import type { Source } from '../source.js';
import type { SourceWatcher } from '../stream-hub.js';
import type { RelayMessage } from './frames.js';
import { RelayLink } from './relay-link.js';

/** Whoever connects says at once what for. */
const SAY_WITHIN_MS = 5_000;

/**
 * A stream at its home, sent to one other process that has viewers of it: each packet once, whoever watches there.
 * It lives as long as the connection.
 */
export class StreamRelay implements SourceWatcher {
  readonly #hold: (stream: string) => HeldStream;
  readonly #link: RelayLink;
  readonly #patience: NodeJS.Timeout;
  readonly #sources = new Map<Source, { readonly number: number; readonly encodings: readonly EncodingRelay[] }>();
  #stream: HeldStream | undefined;
  #lastNumber = 0;

  constructor(socket: Socket, hold: (stream: string) => HeldStream) {
    this.#hold = hold;
    this.#link = new RelayLink(socket, {
      onMessage: (message) => this.#hear(message),
      onPacket: () => {},
      onDrained: () => this.#resume(),
      onClosed: () => this.close(),
    });
    this.#patience = setTimeout(() => socket.destroy(), SAY_WITHIN_MS);
  }

  added(source: Source): void {
    const number = ++this.#lastNumber;
    const tracks = source.tracks.map(({ kind, format, encodingIds }) => ({ kind, format, encodingIds }));
    this.#link.say({ type: 'source', source: number, id: source.id, tracks });
    const now = performance.now();
    const encodings = source.encodings.map((encoding, index) => new EncodingRelay(encoding, this.#link, number, index));
    this.#sources.set(source, { number, encodings });
    for (const encoding of encodings) encoding.start(now);
  }

  removed(source: Source): void {
    const relayed = this.#sources.get(source);
    if (!relayed) return;
    this.#sources.delete(source);
    this.#link.say({ type: 'ended', source: relayed.number });
  }

  close(): void {
    clearTimeout(this.#patience);
    this.#link.close();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.stop();
    this.#sources.clear();
    this.#stream?.hub.unwatch(this);
    this.#stream?.release();
    this.#stream = undefined;
  }

  #hear(message: RelayMessage): void {
    if (message.type === 'follow' && !this.#stream) {
      clearTimeout(this.#patience);
      this.#stream = this.#hold(message.stream);
      this.#stream.hub.watch(this);
      this.#link.say({ type: 'current' });
    } else if (message.type === 'keyframe') {
      const wanted = [...this.#sources.values()].find(({ number }) => number === message.source);
      wanted?.encodings[message.encoding]?.encoding.wantKeyframe(performance.now());
    }
  }

  #resume(): void {
    const now = performance.now();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.resume(now);
  }
}

/** One encoding on its way to the other process. What does not fit is lost there until the next keyframe. */
class EncodingRelay implements Receiver {
  readonly encoding: Encoding;
  /** Whoever comes is sent the newest keyframe, and what followed, where that is fresh. */
  readonly lastAt = undefined;
  readonly #link: RelayLink;
  readonly #source: number;
  readonly #index: number;
  #isHeldBack = false;

  constructor(encoding: Encoding, link: RelayLink, source: number, index: number) {
    this.encoding = encoding;
    this.#link = link;
    this.#source = source;
    this.#index = index;
  }

  start(now: number): void {
    if (this.encoding.clock) this.tellTime(this.encoding.clock);
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

  begin(): void {}

  /** Says that it did not send, as nobody has got it who watches. */
  forward({ sequence, packet }: MediaPacket): false {
    if (!this.#link.packet(this.#source, this.#index, sequence, packet)) {
      this.#isHeldBack = true;
      this.encoding.disconnect(this);
    }
    return false;
  }

  tellTime(report: SenderReport): void {
    this.#link.say({ type: 'clock', source: this.#source, encoding: this.#index, report });
  }

  lose(): void {}
}
