import type { LayerChoice, SourceId } from '../../media-engine.js';
import { selectLayer, NO_SELECTION, type LayerSelection } from './layer-selection.js';
import type { DownTrack } from './down-track.js';
import type { Source } from '../producer/source.js';

/** `main`: what the stream shows by itself. */
export type Shown = 'main' | 'nothing' | { readonly sourceId: SourceId };

/** How long a source's layers are found out: until then the best that came is taken, without patience. */
const FINDING_OUT_MS = 1_500;

/** An m-line of a viewer: what is to be seen or heard on it, and in which of its layers. */
export class Consumer {
  readonly downTrack: DownTrack;
  #shown: Shown;
  #choice: LayerChoice;
  #source: Source | undefined;
  #since = 0;
  #decision: LayerSelection = NO_SELECTION;

  constructor(outlet: DownTrack, shown: Shown, choice: LayerChoice) {
    this.downTrack = outlet;
    this.#shown = shown;
    this.#choice = choice;
  }

  get shown(): Shown {
    return this.#shown;
  }

  /** What is shown, if it is there. */
  get source(): Source | undefined {
    return this.#source;
  }

  /** What the network would have to carry for the best that may be shown, in bit/s. `undefined`: that is what is sent. */
  get desiredBitrate(): number | undefined {
    return this.#source && this.#decision.desiredBitrate;
  }

  show(shown: Shown): void {
    this.#shown = shown;
  }

  /** In place of the choice before; what was decided by that is decided anew. */
  choose(choice: LayerChoice): void {
    this.#choice = choice;
    this.#decision = NO_SELECTION;
  }

  /**
   * Sends what is to be sent of this source, and answers the bitrate of that.
   * @param available what the viewer's network carries of it, in bit/s; undefined: not known
   */
  update(source: Source | undefined, available: number | undefined, now: number): number {
    const { downTrack } = this;
    if (source !== this.#source) {
      this.#source = source;
      this.#since = now;
      this.#decision = NO_SELECTION;
      // Another source's picture must not stay where this one's is to be.
      if (!source?.video.length || downTrack.parameters.kind === 'audio') downTrack.show(undefined, now);
    }
    if (!source) return 0;
    if (downTrack.parameters.kind === 'video') return this.#arrangeVideo(source, available, now);
    downTrack.show(source.audio, now);
    return source.audio?.stats.bitrate ?? 0;
  }

  /** Will be asked to send of this source in a moment: what that begins with may be on its way already. */
  prepare({ layers, video }: Source, now: number): void {
    if (this.downTrack.parameters.kind !== 'video') return;
    const { target } = selectLayer(NO_SELECTION, { layers, choice: this.#choice, available: undefined, now });
    video.find(({ id }) => id === target?.encodingId)?.requestKeyframe(now);
  }

  #arrangeVideo(source: Source, available: number | undefined, now: number): number {
    const { layers } = source;
    const before = now - this.#since < FINDING_OUT_MS ? { ...this.#decision, target: undefined } : this.#decision;
    const isTriedOut = this.downTrack.canSendPadding;
    this.#decision = selectLayer(before, { layers, choice: this.#choice, available, isTriedOut, now });
    const { target } = this.#decision;
    // While nothing comes, there is nothing better than what came last.
    if (!target) return 0;
    const { encodingId, spatialLayerId = Infinity, temporalLayerId = Infinity } = target;
    this.downTrack.show(
      source.video.find(({ id }) => id === encodingId),
      now,
    );
    this.downTrack.limitLayers({ spatial: spatialLayerId, temporal: temporalLayerId }, now);
    return bitrateUpTo(source, encodingId, spatialLayerId, temporalLayerId);
  }
}

function bitrateUpTo({ layers }: Source, encodingId: string, spatialId: number, temporalId: number): number {
  let bitrate = 0;
  for (const layer of layers) {
    const { spatialLayerId = 0, temporalLayerId = 0 } = layer;
    const isSent = layer.encodingId === encodingId && spatialLayerId <= spatialId && temporalLayerId <= temporalId;
    if (isSent) bitrate += layer.bitrate;
  }
  return bitrate;
}
