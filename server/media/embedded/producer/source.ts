import type { LayerState, SourceId, TrackKind } from '../../media-engine.js';
import { PlayoutDelayEstimator } from '../bandwidth/playout-delay.js';
import { RtpEncoding } from './rtp-encoding.js';
import { sourceLayers, reportedLayers } from './source-layers.js';
import { timestamp } from '../rtp/packet.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { Format } from '../sdp/codecs.js';

/** A kind of a source as it was agreed on. */
export interface SourceTrack {
  readonly kind: TrackKind;
  readonly format: Format;
  /** Smallest first. */
  readonly encodingIds: readonly string[];
}

/** Where a source's packets come from: a publisher's transport, or another process that has one. */
export interface KeyframeRequester {
  /** Asks the encoder of this encoding, one time, for a keyframe. */
  requestKeyframe(encoding: RtpEncoding): void;
}

export interface SourceEvents {
  /** Its first packet came, and is delivered when this returns. */
  onLive(source: Source, now: number): void;
  /** Other kinds flow than before. Only while live. */
  onUpdated(source: Source): void;
  /** Other encodings of its video come than before. A new one's first packet is delivered when this returns. */
  onEncodingsChanged(source: Source, now: number): void;
}

/** A kind that sends nothing for this long has ended, as far as anybody can tell who watches. */
const KIND_SILENT_MS = 2_000;
/** An encoding does not come any more when it missed this many frames of the others, for this long. */
const MISSED_FRAMES = 5;
const ENCODING_SILENT_MS = 350;
/** Layers are counted every second: by now each was. */
const LAYERS_KNOWN_MS = 2_500;

/**
 * One publisher's media, as one sourceId of a stream. It does not know how packets get here: whoever does delivers
 * them, decrypted and in whatever order they came, and asks for keyframes when told to.
 */
export class Source {
  readonly id: SourceId;
  readonly tracks: readonly SourceTrack[];
  readonly audio: RtpEncoding | undefined;
  readonly video: readonly RtpEncoding[];
  /** How late packets of its video come that were lost on their way here. */
  readonly playoutDelay = new PlayoutDelayEstimator();
  packetsIn = 0;
  bytesIn = 0;
  readonly #events: SourceEvents;
  #liveSince: number | undefined;
  #kinds: readonly TrackKind[];
  #lastAt: Record<TrackKind, number> = { audio: 0, video: 0 };
  #frame = { encoding: -1, timestamp: -1 };
  #layers: readonly LayerState[] | undefined;

  constructor(id: SourceId, tracks: readonly SourceTrack[], origin: KeyframeRequester, events: SourceEvents) {
    this.id = id;
    this.tracks = tracks;
    this.#events = events;
    this.#kinds = tracks.map(({ kind }) => kind);
    const encodingsOf = (wanted: TrackKind) =>
      tracks
        .filter(({ kind }) => kind === wanted)
        .flatMap(({ encodingIds, format }) =>
          encodingIds.map(
            (name, index) => new RtpEncoding(name, index, format, (asked) => origin.requestKeyframe(asked)),
          ),
        );
    [this.audio] = encodingsOf('audio');
    this.video = encodingsOf('video');
  }

  /** Whether anything came of it. */
  get live(): boolean {
    return this.#liveSince !== undefined;
  }

  /** Of what was agreed on, what flows; before it is live, all. */
  get kinds(): readonly TrackKind[] {
    return this.#kinds;
  }

  get encodings(): readonly RtpEncoding[] {
    return this.audio ? [this.audio, ...this.video] : this.video;
  }

  /** Every layer of its video, as it came in the last second. */
  get layers(): readonly LayerState[] {
    return (this.#layers ??= sourceLayers(this.video));
  }

  /** Whether its video has several layers, or may turn out to have: it is live for a moment only. */
  mayHaveLayers(now: number): boolean {
    return this.layers.length > 1 || now - (this.#liveSince ?? now) < LAYERS_KNOWN_MS;
  }

  /**
   * @param packet valid RTP without a header extension; it is kept, and must not change any more
   * @param sequence extended: it never wraps
   */
  deliver(encoding: RtpEncoding, packet: Buffer, sequence: number, now: number): void {
    this.packetsIn++;
    this.bytesIn += packet.length;
    this.#lastAt[encoding.kind] = now;
    if (encoding.kind === 'video') this.#noteFrame(encoding, timestamp(packet));
    const isNew = !encoding.active;
    encoding.active = true;
    if (!this.live) this.#begin(now);
    if (isNew && encoding.kind === 'video') this.#tellEncodings(now);
    encoding.deliver(packet, sequence, now);
  }

  /** To be called every few tens of ms: sees what has fallen silent, and asks again for keyframes. */
  tick(now: number): void {
    for (const encoding of this.video) {
      encoding.tick(now);
      if (encoding.missedFrames < MISSED_FRAMES || !encoding.active) continue;
      if (now - (encoding.lastPacketAt ?? now) < ENCODING_SILENT_MS) continue;
      encoding.active = false;
      this.#tellEncodings(now);
    }
    this.#noteKinds(now);
  }

  /** To be called once a second. What it answers is for the viewers. */
  measure(now: number): readonly LayerState[] {
    for (const encoding of this.encodings) encoding.stats.endInterval(now);
    this.#layers = undefined;
    return reportedLayers(this.video);
  }

  onSenderReport(encoding: RtpEncoding, report: SenderReport, now: number): void {
    encoding.onSenderReport(report, now);
  }

  end(): void {
    for (const encoding of this.encodings) encoding.end();
  }

  #begin(now: number): void {
    this.#liveSince = now;
    this.#lastAt = { audio: now, video: now };
    this.#events.onLive(this, now);
  }

  #tellEncodings(now: number): void {
    this.#layers = undefined;
    this.#events.onEncodingsChanged(this, now);
  }

  /** A frame of one encoding is one that the others have not got, until they get it. */
  #noteFrame(encoding: RtpEncoding, timestamp: number): void {
    encoding.missedFrames = 0;
    if (this.video.length === 1) return;
    const { index } = encoding;
    if (this.#frame.encoding === index && this.#frame.timestamp === timestamp) return;
    this.#frame.encoding = index;
    this.#frame.timestamp = timestamp;
    for (const other of this.video) if (other !== encoding) other.missedFrames++;
  }

  #noteKinds(now: number): void {
    if (!this.live) return;
    const flows = (kind: TrackKind) =>
      (kind === 'audio' ? this.audio : this.video[0]) !== undefined && now - this.#lastAt[kind] < KIND_SILENT_MS;
    const kinds = (['audio', 'video'] as const).filter(flows);
    if (kinds.length === this.#kinds.length && kinds.every((kind) => this.#kinds.includes(kind))) return;
    this.#kinds = kinds;
    this.#events.onUpdated(this);
  }
}
