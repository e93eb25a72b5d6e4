import type { DeliveredLayer, LayerState } from '../../engine/media-figures.js';
import type { LayerChoice } from '../../engine/media-session.js';
import type { SourceId } from '../../engine/media-track.js';
import type { Source } from '../producer/source.js';
import type { DownTrack } from './down-track.js';
import { bitrateRange, NO_SELECTION, selectLayer, type LayerSelection } from './layer-selection.js';
import { loadLimit, NO_LOAD_LIMIT } from './load-limit.js';
import { hasFailedTrial, nextVideoPause, RESUME_PART, VIDEO_SENT, type VideoPause } from './video-pause.js';

/** What a viewer can be sent. */
export interface Allowance {
  /** What the viewer's network can carry of this m-line, in bit/s. Undefined: unknown. */
  readonly available: number | undefined;
  /** The part of it that a probe measured lately, in bit/s. */
  readonly proven: number;
  /** The part of the video that the load of this process allows all viewers together, and the viewer's rank; see `loadLimit`. */
  readonly share: number;
  readonly rank: number;
}

/** What an m-line shows. `main`: the main source of the viewer. */
export type SourceSelection = 'main' | 'none' | { readonly sourceId: SourceId };

/** The layers of a new source are measured for this long. Until then the best known layer is selected without delay. */
const LAYER_DISCOVERY_MS = 1_500;
/** Probes measure the network for this long after a choice. Until then the best layer that it carries is selected. */
const PROBING_MS = 4_000;
/** A probe of a paused video for less has too few packets for a result, in bit/s. */
const MIN_PROBED_BITRATE = 230_000;

/** One m-line of a subscriber: the source it shows, and the layer it sends of that source. */
export class Consumer {
  readonly downTrack: DownTrack;
  #selection: SourceSelection;
  #choice: LayerChoice;
  #source: Source | undefined;
  /** The encodings of the source as they were named in the last selection. */
  #named: Source['byQuality'] | undefined;
  /**
   * Until then the best layer is selected that the network carries, without a time of headroom. `choice`: a person waits
   * for it.
   */
  #discovery: { readonly until: number; readonly of: 'source' | 'path' | 'choice' } = { until: 0, of: 'source' };
  #layer: LayerSelection = NO_SELECTION;
  #pause: VideoPause = VIDEO_SENT;
  #share = 1;
  #limit = NO_LOAD_LIMIT;

  constructor(downTrack: DownTrack, selection: SourceSelection, choice: LayerChoice) {
    this.downTrack = downTrack;
    this.#selection = selection;
    this.#choice = choice;
  }

  get selection(): SourceSelection {
    return this.#selection;
  }

  /** The source that is sent, if it exists. */
  get source(): Source | undefined {
    return this.#source;
  }

  /** Whether no video is sent because the network or this process carries less than the lowest layer. */
  get isPaused(): boolean {
    return this.#source !== undefined && (this.#pause.name === 'paused' || !this.#limit.isSent);
  }

  /** Whether the end of the pause waits for a probe, however high the estimate is. */
  get needsProof(): boolean {
    return this.#source !== undefined && hasFailedTrial(this.#pause);
  }

  /**
   * The bitrate that the best allowed layer needs, in bit/s; of a video that is paused, that of the lowest.
   * `undefined`: that layer is sent.
   */
  get desiredBitrate(): number | undefined {
    if (!this.#source || !this.#limit.isSent) return undefined;
    // More would be a longer queue, in which the sound waits.
    const toResume = Math.max(MIN_PROBED_BITRATE, bitrateRange(this.#source.layers).lowest * RESUME_PART);
    return this.isPaused ? toResume : this.#layer.desiredBitrate;
  }

  /** The layers that are sent of a video. Undefined: none. */
  get delivered(): DeliveredLayer | undefined {
    const encodingId = this.downTrack.current?.id;
    const { target } = this.#layer;
    if (encodingId === undefined || !target || !this.#source) return undefined;
    // Until its keyframe arrives, a new encoding is only the target.
    const isTarget = target.encodingId === encodingId;
    const spatialLayerId = isTarget ? target.spatialLayerId : undefined;
    const temporalLayerId = isTarget ? target.temporalLayerId : undefined;
    const sent = this.#source.layers.filter(
      (layer) => layer.encodingId === encodingId && (layer.spatialLayerId ?? 0) <= (spatialLayerId ?? Infinity),
    );
    const width = Math.max(0, ...sent.map((layer) => layer.width));
    const height = Math.max(0, ...sent.map((layer) => layer.height));
    return { encodingId, spatialLayerId, temporalLayerId, width, height };
  }

  /** Whether the viewer can decode the video of a source. */
  canDecode({ video }: Pick<Source, 'video'>): boolean {
    return video.some(({ format }) => this.downTrack.accepts(format));
  }

  select(selection: SourceSelection): void {
    this.#selection = selection;
  }

  /** Replaces the layer choice, and restarts the selection. */
  setLayerChoice(choice: LayerChoice, now: number): void {
    this.#choice = choice;
    this.restartSelection('choice', now);
  }

  /** Selects the layer as if nothing had been sent before. @param of what is new */
  restartSelection(of: 'path' | 'choice', now: number): void {
    this.#layer = NO_SELECTION;
    if (of === 'path') this.#pause = VIDEO_SENT;
    if (this.downTrack.canSendPadding) this.#discovery = { until: now + PROBING_MS, of };
  }

  /**
   * Sends this source, in the layer that the network and the load of this process allow.
   * @returns the bitrate of what is sent
   */
  update(source: Source | undefined, allowance: Allowance, now: number): number {
    const { downTrack } = this;
    if (source !== this.#source) {
      this.#source = source;
      this.#discovery = { until: now + LAYER_DISCOVERY_MS, of: 'source' };
      this.#layer = NO_SELECTION;
      this.#pause = VIDEO_SENT;
      // Stop the previous source now: its picture must not stay when the new source has none.
      const isShown = source && downTrack.parameters.kind === 'video' && this.canDecode(source);
      if (!isShown) downTrack.setEncoding(undefined, now);
    }
    if (!source) return 0;
    if (downTrack.parameters.kind === 'video') {
      return this.canDecode(source) ? this.#updateVideo(source, allowance, now) : 0;
    }
    downTrack.setEncoding(source.audio, now);
    return (source.audio?.stats.bitrate ?? 0) * downTrack.redundancyFactor;
  }

  /** Requests the keyframe that the m-line will begin with, before the viewer is connected. */
  prepare({ layers, video }: Source, now: number): void {
    const { downTrack } = this;
    if (downTrack.parameters.kind !== 'video' || !this.canDecode({ video })) return;
    const { target } = selectLayer(NO_SELECTION, { layers, choice: this.#choice, available: undefined, now });
    video.find(({ id }) => id === target?.encodingId)?.requestKeyframe({ by: downTrack, reason: 'join' }, now);
  }

  /** The layers of a source that can be sent to this viewer. */
  #layersOf({ layers, video }: Source): readonly LayerState[] {
    if (this.downTrack.readsDescriptors || video[0]?.format.codec !== 'av1') return layers;
    return layers.filter(({ spatialLayerId = 0 }) => spatialLayerId === 0);
  }

  #updateVideo(source: Source, { available, proven, share, rank }: Allowance, now: number): number {
    const layers = this.#layersOf(source);
    if (this.#named !== source.byQuality) this.#layer = NO_SELECTION;
    this.#named = source.byQuality;
    const isProbed = this.downTrack.canSendPadding;
    const hasNewShare = share !== this.#share;
    this.#share = share;
    this.#limit = loadLimit(this.#limit, layers, { share, rank });
    const { lowest: needed } = bitrateRange(layers);
    this.#pause = nextVideoPause(this.#pause, { needed, available, proven, isProbed, now });
    if (this.isPaused) {
      this.#layer = NO_SELECTION;
      this.downTrack.setEncoding(undefined, now);
      return 0;
    }
    const discovers = now < this.#discovery.until;
    const before = discovers || hasNewShare ? { ...this.#layer, target: undefined } : this.#layer;
    const { maxBitrate } = this.#limit;
    this.#layer = selectLayer(before, { layers, choice: this.#choice, available, isProbed, maxBitrate, now });
    const { target } = this.#layer;
    // No layer is active: keep the current encoding until one is.
    if (!target) return 0;
    const { encodingId, spatialLayerId = Infinity, temporalLayerId = Infinity } = target;
    this.downTrack.setEncoding(
      source.video.find(({ id }) => id === encodingId),
      now,
      hasNewShare || (discovers && this.#discovery.of === 'choice'),
    );
    this.downTrack.limitLayers({ spatial: spatialLayerId, temporal: temporalLayerId }, now);
    return bitrateUpTo(layers, encodingId, spatialLayerId, temporalLayerId);
  }
}

function bitrateUpTo(layers: readonly LayerState[], encodingId: string, spatialId: number, temporalId: number): number {
  let bitrate = 0;
  for (const layer of layers) {
    const { spatialLayerId = 0, temporalLayerId = 0 } = layer;
    const isSent = layer.encodingId === encodingId && spatialLayerId <= spatialId && temporalLayerId <= temporalId;
    if (isSent) bitrate += layer.bitrate;
  }
  return bitrate;
}
