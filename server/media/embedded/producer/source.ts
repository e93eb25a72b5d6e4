import type { LayerState } from '../../engine/media-figures.js';
import type { SourceId, TrackKind } from '../../engine/media-track.js';
import { PlayoutDelayEstimator } from '../bandwidth/playout-delay.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { timestamp } from '../rtp/packet.js';
import type { Format } from '../../sdp/codecs.js';
import { KeyframeAuthority, type KeyframeUrgency } from './keyframe-authority.js';
import type { LayerSample } from './layer-stats.js';
import { qualityOrder } from './quality-order.js';
import { RtpEncoding } from './rtp-encoding.js';
import { nextLateness, PROMPT, shedOf } from './shedding.js';
import { reportedLayers, sourceLayers } from './source-layers.js';

/** A track of a source, as negotiated. */
export interface SourceTrack {
  readonly kind: TrackKind;
  readonly format: Format;
  /** One for each encoding, in the order of the offer. */
  readonly encodingIds: readonly string[];
  /** The source cannot be asked for keyframes: viewers who join get what came since the last one. */
  readonly keepsGroup?: boolean | undefined;
}

/** Passes keyframe requests on to the publisher: directly, or through the worker that has the publisher. */
export interface KeyframeRequester {
  /** Sends one keyframe request for this encoding. */
  requestKeyframe(encoding: RtpEncoding, urgency: KeyframeUrgency): void;
}

export interface SourceOptions {
  /** The publisher is in another worker, which decides when it is asked for keyframes. */
  readonly isRelayed?: boolean | undefined;
  /** Encodings come only when they are wanted: `describe` says what there is, and not what arrives. */
  readonly isDescribed?: boolean | undefined;
}

/** What the worker that has the publisher of a live source knows of it. */
export interface SourceDescription {
  readonly kinds: readonly TrackKind[];
  /** Of the video, in the order of `Source.video`. No layers: nothing was measured yet. */
  readonly encodings: readonly { readonly isActive: boolean; readonly layers: readonly LayerSample[] }[];
}

export interface SourceEvents {
  /** The first packet arrived. It is delivered after this call. */
  onLive(source: Source, now: number): void;
  /** Packets arrive of other kinds than before. Only while live. */
  onUpdated(source: Source): void;
  /**
   * Packets arrive of other video encodings than before. A new encoding's first packet is delivered after this call.
   */
  onEncodingsChanged(source: Source, now: number): void;
  /** Packets are held: call `pace` of the encoding, as for the router. Absent: packets are sent as they arrive. */
  readonly onHeld?: ((encoding: RtpEncoding) => void) | undefined;
  /** A keyframe was requested. */
  onKeyframeRequested(source: Source): void;
  /** A frame of video or a packet of sound was shed. */
  onShed(kind: TrackKind): void;
}

/** A kind without packets for this long has ended for its viewers. */
const KIND_TIMEOUT_MS = 2_000;
/** An encoding is inactive after it missed this many frames of the others, for at least this long. */
const MAX_MISSED_FRAMES = 5;
const ENCODING_TIMEOUT_MS = 350;
/** Layers are measured every second, so all layers are known after this time. */
const LAYERS_KNOWN_MS = 2_500;

/**
 * What one publisher sends under one sourceId. It is independent of the transport: packets are delivered to it
 * decrypted and in any order, and it requests keyframes through a `KeyframeRequester`.
 */
export class Source {
  readonly id: SourceId;
  readonly tracks: readonly SourceTrack[];
  readonly audio: RtpEncoding | undefined;
  /** In the order of the offer. */
  readonly video: readonly RtpEncoding[];
  /** From the video packets that were lost between the publisher and the server. */
  readonly playoutDelay = new PlayoutDelayEstimator();
  readonly isDescribed: boolean;
  packetsIn = 0;
  /** Frames of video and packets of sound that were shed. */
  shed = 0;
  bytesIn = 0;
  readonly #events: SourceEvents;
  readonly #keyframes: KeyframeAuthority;
  #liveSince: number | undefined;
  #kinds: readonly TrackKind[];
  #lastPacketAt: Record<TrackKind, number> = { audio: 0, video: 0 };
  #lastFrame = { encoding: -1, timestamp: -1 };
  #byQuality: readonly RtpEncoding[];
  #layers: readonly LayerState[] | undefined;
  #lateness = PROMPT;
  #arrivedAt: number | undefined;

  constructor(
    id: SourceId,
    tracks: readonly SourceTrack[],
    requester: KeyframeRequester,
    events: SourceEvents,
    { isRelayed = false, isDescribed = false }: SourceOptions = {},
  ) {
    this.id = id;
    this.isDescribed = isDescribed;
    this.tracks = tracks;
    this.#events = events;
    this.#kinds = tracks.map(({ kind }) => kind);
    const encodings = Math.max(0, ...tracks.map(({ encodingIds }) => encodingIds.length));
    const authority = new KeyframeAuthority({ encodings, isPaced: !isRelayed });
    this.#keyframes = authority;
    const keyframes = {
      authority,
      send: (encoding: RtpEncoding, urgency: KeyframeUrgency) => {
        events.onKeyframeRequested(this);
        requester.requestKeyframe(encoding, urgency);
      },
    };
    const { onHeld } = events;
    const onShed = (kind: TrackKind) => {
      this.shed++;
      events.onShed(kind);
    };
    const encodingsOf = (wanted: TrackKind) =>
      tracks
        .filter(({ kind }) => kind === wanted)
        .flatMap(({ encodingIds, format, keepsGroup }) =>
          encodingIds.map((_, index) => new RtpEncoding(index, format, keyframes, { keepsGroup, onHeld, onShed })),
        );
    [this.audio] = encodingsOf('audio');
    this.video = encodingsOf('video');
    this.#byQuality = this.video;
  }

  /** Whether a packet arrived. */
  get live(): boolean {
    return this.#liveSince !== undefined;
  }

  /** The negotiated kinds of which packets arrive; all of them before the source is live. */
  get kinds(): readonly TrackKind[] {
    return this.#kinds;
  }

  /** See `RtpEncoding.isCatchingUp`. */
  get isCatchingUp(): boolean {
    return this.video.some((encoding) => encoding.isCatchingUp);
  }

  get encodings(): readonly RtpEncoding[] {
    return this.audio ? [this.audio, ...this.video] : this.video;
  }

  /** The encodings of the video, the smallest first. Another list once the order changed. */
  get byQuality(): readonly RtpEncoding[] {
    return this.#byQuality;
  }

  /** Of audio and video, as measured in the last second, in bit/s. */
  get bitrate(): number {
    return this.encodings.reduce((sum, { stats }) => sum + stats.bitrate, 0);
  }

  /** Every layer of the video, as measured in the last second. */
  get layers(): readonly LayerState[] {
    return (this.#layers ??= sourceLayers(this.#byQuality));
  }

  /** Whether the video has several layers, or may have: it is too new to know. */
  mayHaveLayers(now: number): boolean {
    return this.layers.length > 1 || now - (this.#liveSince ?? now) < LAYERS_KNOWN_MS;
  }

  /** Call before packets are delivered. @param arrivedAt when they came to this machine, at the earliest */
  onArrival(arrivedAt: number, now: number): void {
    this.#arrivedAt = arrivedAt;
    this.#lateness = nextLateness(this.#lateness, now - arrivedAt, now);
  }

  /**
   * @param packet valid RTP with no header extensions but kept ones; it is kept, so it must not change any more
   * @param sequence extended: it never wraps
   */
  deliver(encoding: RtpEncoding, packet: Buffer, sequence: number, now: number): void {
    this.packetsIn++;
    this.bytesIn += packet.length;
    this.#lastPacketAt[encoding.kind] = now;
    if (encoding.kind === 'video') this.#countFrame(encoding, timestamp(packet));
    const isNew = !encoding.active;
    encoding.active = true;
    if (!this.live) this.#start(now);
    if (isNew && encoding.kind === 'video') {
      if (this.video.length > 1) encoding.learnSize(packet, sequence);
      this.#orderByQuality();
      this.#onEncodingsChanged(now);
    }
    encoding.deliver(packet, sequence, now, { arrivedAt: this.#arrivedAt, shed: shedOf(this.#lateness, now) });
  }

  /** Call every few tens of ms: detects kinds and encodings that stopped, and repeats keyframe requests. */
  tick(now: number): void {
    for (const encoding of this.video) {
      encoding.tick(now);
      if (this.isDescribed) continue;
      if (encoding.missedFrames < MAX_MISSED_FRAMES || !encoding.active) continue;
      if (now - (encoding.lastPacketAt ?? now) < ENCODING_TIMEOUT_MS) continue;
      encoding.active = false;
      this.#onEncodingsChanged(now);
    }
    if (!this.isDescribed) this.#updateKinds(now);
  }

  get description(): SourceDescription {
    const encodings = this.video.map(({ active, stats }) => ({
      isActive: active,
      layers: stats.isNew ? [] : stats.samples(),
    }));
    return { kinds: this.kinds, encodings };
  }

  /** Replaces what was known of the source, which is live. Only for a described source. */
  describe({ kinds, encodings }: SourceDescription, now: number): void {
    let isChanged = false;
    for (const [index, encoding] of this.video.entries()) {
      const { isActive, layers } = encodings[index] ?? { isActive: false, layers: [] };
      encoding.stats.describe(layers);
      isChanged ||= encoding.active !== isActive;
      encoding.active = isActive;
    }
    isChanged = this.#orderByQuality() || isChanged;
    this.#layers = undefined;
    const hasKinds = sameKinds(this.#kinds, kinds);
    this.#kinds = kinds;
    if (!this.live) return this.#start(now);
    if (isChanged) this.#onEncodingsChanged(now);
    if (!hasKinds) this.#events.onUpdated(this);
  }

  /** Call once a second. @returns the layers as viewers see them */
  measure(now: number): readonly LayerState[] {
    for (const encoding of this.encodings) encoding.stats.endInterval(now);
    for (const { index, stats } of this.video) this.#keyframes.onMeasured(index, stats.bitrate);
    this.#layers = undefined;
    this.#orderByQuality();
    return reportedLayers(this.#byQuality);
  }

  onSenderReport(encoding: RtpEncoding, report: SenderReport, now: number): void {
    encoding.onSenderReport(report, now);
  }

  end(): void {
    for (const encoding of this.encodings) encoding.end();
  }

  #start(now: number): void {
    this.#liveSince = now;
    this.#lastPacketAt = { audio: now, video: now };
    this.#events.onLive(this, now);
  }

  #onEncodingsChanged(now: number): void {
    this.#layers = undefined;
    this.#events.onEncodingsChanged(this, now);
  }

  /** @returns whether the order changed, and with it the ids of encodings */
  #orderByQuality(): boolean {
    const before = this.#byQuality.map(({ index }) => index);
    const order = qualityOrder(
      before,
      this.video.map(({ stats: { pixels, bitrate } }) => ({ pixels, bitrate })),
    );
    if (order.every((index, rank) => index === before[rank])) return false;
    this.#byQuality = order.map((index) => this.video[index]!);
    for (const [rank, encoding] of this.#byQuality.entries()) encoding.rank = rank;
    return true;
  }

  /** Counts a frame of one encoding as missed by the others, until each of them has a frame of its own. */
  #countFrame(encoding: RtpEncoding, timestamp: number): void {
    encoding.missedFrames = 0;
    if (this.video.length === 1) return;
    const { index } = encoding;
    if (this.#lastFrame.encoding === index && this.#lastFrame.timestamp === timestamp) return;
    this.#lastFrame.encoding = index;
    this.#lastFrame.timestamp = timestamp;
    for (const other of this.video) if (other !== encoding) other.missedFrames++;
  }

  #updateKinds(now: number): void {
    if (!this.live) return;
    const isReceived = (kind: TrackKind) =>
      (kind === 'audio' ? this.audio : this.video[0]) !== undefined && now - this.#lastPacketAt[kind] < KIND_TIMEOUT_MS;
    const kinds = (['audio', 'video'] as const).filter(isReceived);
    if (sameKinds(kinds, this.#kinds)) return;
    this.#kinds = kinds;
    this.#events.onUpdated(this);
  }
}

function sameKinds(some: readonly TrackKind[], others: readonly TrackKind[]): boolean {
  return some.length === others.length && some.every((kind) => others.includes(kind));
}
