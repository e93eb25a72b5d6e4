import { nalUnitsOf } from '../../media/embedded/frames/h264-nal-units.js';
import type { VideoCodec } from '../../media/engine/media-track.js';
import type { TappedFrame, TapTracks } from '../../media/engine/tap.js';
import { avcConfigurationOf, withLengths } from '../matroska/h264-in-file.js';
import type { Tracks } from '../matroska/header.js';
import { DropPolicy, type Backlog } from './drop-policy.js';
import { ClusterBuilder, type BuiltCluster } from './cluster-builder.js';
import { Interleaver } from './interleaver.js';
import type { PartEndReason } from '../recorder.js';

/** If no keyframe comes in this time, the part begins with the sound, and ends (`codec_changed`) when one comes. */
export const WAIT_FOR_KEYFRAME_MS = 10_000;
/** A source that is announced again within this time goes on in the same part. */
export const WAIT_FOR_SOURCE_MS = 1_000;

export interface PartBeginning {
  readonly tracks: Tracks;
  readonly startsAt: number;
  /** As of a `PartStart`. */
  readonly announcedVideo: VideoCodec | undefined;
}

/** What is to be done next, in this order. */
export interface PartSteps {
  readonly begin?: PartBeginning | undefined;
  readonly clusters: readonly BuiltCluster[];
  /** Nothing follows. */
  readonly end?: PartEndReason | undefined;
}

type State =
  /** `sound`: what can be the start of a part without video. */
  | { readonly name: 'waiting'; readonly since: number; readonly sound: TappedFrame[] }
  | { readonly name: 'writing'; readonly tracks: Tracks; readonly startsAt: number; readonly clusters: ClusterBuilder }
  | { readonly name: 'ended' };

/** Decides what one part contains: from the frames of a source to the bytes of clusters. It has no clock and no file. */
export class PartAssembler {
  readonly #policy: DropPolicy;
  readonly #frames = new Interleaver();
  #state: State;
  #tracks: TapTracks | undefined;
  #sourceEndedAt: number | undefined;
  #framesLost = 0;
  #isDiskSlow = false;

  constructor(now: number, most?: Backlog) {
    this.#policy = new DropPolicy(most);
    this.#state = { name: 'waiting', since: now, sound: [] };
  }

  get framesLost(): number {
    return this.#framesLost;
  }

  /** Whether frames were left out because the disk did not keep up. */
  get isDiskSlow(): boolean {
    return this.#isDiskSlow;
  }

  /** Bytes that are in memory, and for how long, before they are passed on. */
  held(now: number): Backlog {
    return this.#state.name === 'writing' ? this.#state.clusters.held(now) : { bytes: 0, ms: 0 };
  }

  onSource(tracks: TapTracks, now: number): PartSteps {
    if (this.#state.name === 'waiting') this.#state = { name: 'waiting', since: now, sound: [] };
    const before = this.#tracks;
    this.#tracks = tracks;
    this.#sourceEndedAt = undefined;
    this.#policy.gap();
    const isOther =
      before && (before.video?.codec !== tracks.video?.codec || before.audio?.codec !== tracks.audio?.codec);
    return isOther && this.#state.name === 'writing' ? this.end('codec_changed') : { clusters: [] };
  }

  onSourceEnded(now: number): void {
    this.#sourceEndedAt = now;
  }

  onLoss(frames: number): void {
    if (this.#state.name === 'writing') this.#framesLost += frames;
  }

  /** @param backlog what waits for the disk */
  onFrame(frame: TappedFrame, now: number, backlog: Backlog): PartSteps {
    if (this.#state.name === 'waiting') return this.#onFirstFrames(frame, now);
    if (this.#state.name === 'ended') return { clusters: [] };
    if (frame.kind === 'video' && !this.#state.tracks.video && frame.isKeyframe) return this.end('codec_changed');
    if (!this.#state.tracks[frame.kind]) return { clusters: [] };
    const held = this.held(now);
    const total = { bytes: backlog.bytes + held.bytes, ms: backlog.ms };
    if (!this.#policy.accepts(frame, total)) {
      this.#framesLost += 1;
      this.#isDiskSlow ||= this.#policy.isFull;
      return { clusters: [] };
    }
    this.#frames.push(frame, now);
    return this.#advance(now);
  }

  /** Call some times a second. */
  tick(now: number): PartSteps {
    if (this.#sourceEndedAt !== undefined && now - this.#sourceEndedAt >= WAIT_FOR_SOURCE_MS) {
      return this.end('source_ended');
    }
    if (this.#state.name !== 'waiting') return this.#advance(now);
    const [first] = this.#state.sound;
    if (!first || now - this.#state.since < WAIT_FOR_KEYFRAME_MS) return { clusters: [] };
    return this.#begin({ video: undefined, audio: { codec: 'opus' } }, first.timestampMs, this.#state.sound, now);
  }

  end(reason: PartEndReason): PartSteps {
    const state = this.#state;
    this.#state = { name: 'ended' };
    if (state.name === 'ended') return { clusters: [] };
    if (state.name === 'waiting') return { clusters: [], end: reason };
    for (const frame of this.#frames.drain()) this.#add(state, frame, Infinity);
    return { clusters: state.clusters.takeAll(), end: reason };
  }

  #onFirstFrames(frame: TappedFrame, now: number): PartSteps {
    if (this.#state.name !== 'waiting' || !this.#tracks) return { clusters: [] };
    if (frame.kind === 'audio') {
      this.#state.sound.push(frame);
      if (this.#tracks.video) return { clusters: [] };
      return this.#begin({ video: undefined, audio: { codec: 'opus' } }, frame.timestampMs, this.#state.sound, now);
    }
    const { width, height, data, isKeyframe } = frame;
    if (!this.#tracks.video || !isKeyframe || !width || !height) return { clusters: [] };
    const { codec } = this.#tracks.video;
    const codecPrivate = codec === 'h264' ? avcConfigurationOf(nalUnitsOf(data)) : undefined;
    if (codec === 'h264' && !codecPrivate) return { clusters: [] };
    const tracks = { video: { codec, width, height, codecPrivate }, audio: this.#tracks.audio };
    const sound = this.#state.sound.filter(({ timestampMs }) => timestampMs >= frame.timestampMs);
    return this.#begin(tracks, frame.timestampMs, [frame, ...sound], now);
  }

  #begin(tracks: Tracks, startsAt: number, frames: readonly TappedFrame[], now: number): PartSteps {
    this.#state = { name: 'writing', tracks, startsAt, clusters: new ClusterBuilder(startsAt, tracks.video?.codec) };
    for (const frame of frames) {
      if (this.#policy.accepts(frame, { bytes: 0, ms: 0 })) this.#frames.push(frame, now);
    }
    const announcedVideo = tracks.video ? undefined : this.#tracks?.video?.codec;
    return { ...this.#advance(now), begin: { tracks, startsAt, announcedVideo } };
  }

  #advance(now: number): PartSteps {
    const state = this.#state;
    if (state.name !== 'writing') return { clusters: [] };
    for (let frame = this.#frames.take(now); frame; frame = this.#frames.take(now)) this.#add(state, frame, now);
    return { clusters: state.clusters.take(now) };
  }

  #add({ tracks, startsAt, clusters }: State & { name: 'writing' }, frame: TappedFrame, now: number): void {
    // Sound of the moment before the first picture.
    if (frame.timestampMs < startsAt) return;
    const isH264 = frame.kind === 'video' && tracks.video?.codec === 'h264';
    const data = isH264 ? withLengths(frame.data) : frame.data;
    if (data.length === 0 || !clusters.add({ ...frame, data }, now)) this.#framesLost += 1;
  }
}
