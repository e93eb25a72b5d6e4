import type { TrackKind } from '../../engine/media-track.js';
import type { MediaPacket } from '../producer/media-packet.js';
import type { KeyframeUrgency } from '../producer/keyframe-authority.js';
import type { EncodingSink, RtpEncoding } from '../producer/rtp-encoding.js';
import type { Source } from '../producer/source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { isMarked } from '../rtp/packet.js';
import type { RouterHandle } from '../stream/router-registry.js';
import type { SourceObserver } from '../stream/router.js';
import type { RelayMessage } from './relay-frames.js';
import type { IncomingRole, RelayLink } from './relay-link.js';

/** A worker should be only milliseconds behind. Once what waits for it is this old, no more is sent, sound last. */
const WORKER_WAIT_MS: Readonly<Record<TrackKind, number>> = { video: 200, audio: 500 };
/** A recorder whose disk is slow for a moment misses nothing. */
const TAP_WAIT_MS: Readonly<Record<TrackKind, number>> = { video: 5_000, audio: 5_000 };

interface EncodingRelayOptions {
  /** The numbers by which the other process knows the source, and its encoding. */
  readonly source: number;
  readonly index: number;
  readonly maxWaitMs: number;
}

export interface StreamRelayOptions {
  /** The other end keeps what it gets, which may be late. */
  readonly isTap?: boolean | undefined;
  /** The other end is another server: it gets only the encodings that it wants. */
  readonly isToServer?: boolean | undefined;
}

interface SentSource {
  readonly number: number;
  readonly isDescribed: boolean;
  readonly encodings: readonly EncodingRelay[];
}

/**
 * Sends a stream from its home to one other worker, each packet once. It lives as long as the connection.
 */
export class StreamRelay implements IncomingRole, SourceObserver {
  readonly #connection: RelayLink;
  readonly #handle: RouterHandle;
  readonly #maxWaitMs: Readonly<Record<TrackKind, number>>;
  readonly #isTap: boolean;
  readonly #isToServer: boolean;
  readonly #sources = new Map<Source, SentSource>();
  #lastNumber = 0;

  constructor(connection: RelayLink, handle: RouterHandle, { isTap = false, isToServer = false }: StreamRelayOptions) {
    this.#connection = connection;
    this.#isTap = isTap;
    this.#isToServer = isToServer;
    this.#maxWaitMs = isTap ? TAP_WAIT_MS : WORKER_WAIT_MS;
    this.#handle = handle;
    handle.router.addObserver(this);
    connection.send({ type: 'current' });
  }

  onSourceAdded(source: Source): void {
    const number = ++this.#lastNumber;
    const tracks = source.tracks.map(({ kind, format, encodingIds, keepsGroup }) => ({
      kind,
      format,
      encodingIds,
      keepsGroup,
    }));
    const isDescribed = this.#isToServer || (source.isDescribed && !this.#isTap);
    const described = isDescribed ? { isDescribed } : {};
    this.#connection.send({ type: 'source', source: number, id: source.id, tracks, ...described });
    const now = performance.now();
    const encodings = source.encodings.map(
      (encoding, index) =>
        new EncodingRelay(encoding, this.#connection, {
          source: number,
          index,
          maxWaitMs: this.#maxWaitMs[encoding.kind],
        }),
    );
    this.#sources.set(source, { number, isDescribed, encodings });
    for (const encoding of encodings) if (!isDescribed || encoding.encoding.kind === 'audio') encoding.start(now);
    if (source.live) this.onSourceMeasured(source);
  }

  onSourceMeasured(source: Source): void {
    const sent = this.#sources.get(source);
    if (!sent?.isDescribed) return;
    this.#connection.send({ type: 'described', source: sent.number, description: source.description });
  }

  onSourceRemoved(source: Source): void {
    const relayed = this.#sources.get(source);
    if (!relayed) return;
    this.#sources.delete(source);
    this.#connection.send({ type: 'ended', source: relayed.number });
  }

  onMessage(message: RelayMessage): void {
    if (message.type !== 'keyframe' && message.type !== 'want') return;
    const sent = [...this.#sources.values()].find(({ number }) => number === message.source);
    const now = performance.now();
    if (message.type === 'keyframe') return sent?.encodings[message.encoding]?.requestKeyframe(message.urgency, now);
    if (!sent?.isDescribed) return;
    for (const relay of sent.encodings) {
      if (relay.encoding.kind === 'audio') continue;
      if (message.encodings.includes(relay.encoding.index)) relay.start(now);
      else relay.stop();
    }
  }

  onPacket(): void {}

  onDrain(): void {
    const now = performance.now();
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.resume(now);
  }

  close(): void {
    for (const { encodings } of this.#sources.values()) for (const encoding of encodings) encoding.stop();
    this.#sources.clear();
    this.#handle.router.removeObserver(this);
    this.#handle.release();
  }
}

/** Sends one encoding to the other worker. When that is too slow, video pauses until a keyframe. */
class EncodingRelay implements EncodingSink {
  readonly isRelay = true;
  readonly encoding: RtpEncoding;
  /** Undefined, so that it starts with the cached keyframe if that is recent. */
  readonly lastSentAt = undefined;
  readonly #connection: RelayLink;
  readonly #options: EncodingRelayOptions;
  #state: 'off' | 'on' | 'paused' = 'off';

  constructor(encoding: RtpEncoding, connection: RelayLink, options: EncodingRelayOptions) {
    this.encoding = encoding;
    this.#connection = connection;
    this.#options = options;
  }

  start(now: number): void {
    if (this.#state !== 'off') return;
    this.#state = 'on';
    if (this.encoding.senderReport) this.sendSenderReport(this.encoding.senderReport);
    if (this.encoding.isAskedInVain) this.onGroupKept();
    this.encoding.addSink(this, now);
  }

  stop(): void {
    this.#state = 'off';
    this.encoding.removeSink(this);
  }

  resume(now: number): void {
    if (this.#state !== 'paused') return;
    this.#state = 'on';
    this.encoding.addSink(this, now);
  }

  requestKeyframe(urgency: KeyframeUrgency, now: number): void {
    if (this.#state === 'off') return;
    const reason = urgency === 'patient' ? 'upgrade' : 'join';
    this.encoding.requestKeyframe({ by: this, reason }, now);
  }

  onGroupKept(): void {
    const { source, index: encoding } = this.#options;
    this.#connection.send({ type: 'in-vain', source, encoding });
  }

  onStart(): void {}

  /**
   * Sends what is shed, too: the other worker decides by itself. Returns false, because no viewer received the packet
   * yet: the other worker counts it.
   */
  forward(media: MediaPacket): false {
    const { source, index, maxWaitMs } = this.#options;
    const moreFollow = this.encoding.kind === 'video' && !isMarked(media.packet);
    if (!this.#connection.sendPacket(source, index, media, { maxWaitMs, moreFollow })) {
      this.#state = 'paused';
      this.encoding.removeSink(this);
    }
    return false;
  }

  sendSenderReport(report: SenderReport): void {
    const { source, index: encoding } = this.#options;
    this.#connection.send({ type: 'clock', source, encoding, report });
  }

  onEnd(): void {}
}
