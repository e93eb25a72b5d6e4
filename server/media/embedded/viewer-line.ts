import type { LayerChoice, SourceId } from '../media-engine.js';
import { chooseLayer, UNDECIDED, type LayerDecision } from './congestion/choose-layer.js';
import type { Outlet } from './outlet.js';
import type { Source } from './source.js';

/** `main`: what the stream shows by itself. */
export type Shown = 'main' | 'nothing' | { readonly sourceId: SourceId };

/** How long a source's layers are found out: until then the best that came is taken, without patience. */
const FINDING_OUT_MS = 1_500;

/** An m-line of a viewer: what is to be seen or heard on it, and in which of its layers. */
export class ViewerLine {
  readonly outlet: Outlet;
  #shown: Shown;
  #choice: LayerChoice;
  #source: Source | undefined;
  #since = 0;
  #decision: LayerDecision = UNDECIDED;

  constructor(outlet: Outlet, shown: Shown, choice: LayerChoice) {
    this.outlet = outlet;
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
  get aim(): number | undefined {
    return this.#source && this.#decision.aim;
  }

  show(shown: Shown): void {
    this.#shown = shown;
  }

  /** In place of the choice before; what was decided by that is decided anew. */
  choose(choice: LayerChoice): void {
    this.#choice = choice;
    this.#decision = UNDECIDED;
  }

  /**
   * Sends what is to be sent of this source, and answers the bitrate of that.
   * @param available what the viewer's network carries of it, in bit/s; undefined: not known
   */
  arrange(source: Source | undefined, available: number | undefined, now: number): number {
    const { outlet } = this;
    if (source !== this.#source) {
      this.#source = source;
      this.#since = now;
      this.#decision = UNDECIDED;
      // Another source's picture must not stay where this one's is to be.
      if (!source?.video.length || outlet.terms.kind === 'audio') outlet.show(undefined, now);
    }
    if (!source) return 0;
    if (outlet.terms.kind === 'video') return this.#arrangeVideo(source, available, now);
    outlet.show(source.audio, now);
    return source.audio?.meter.bitrate ?? 0;
  }

  /** Will be asked to send of this source in a moment: what that begins with may be on its way already. */
  expect({ layers, video }: Source, now: number): void {
    if (this.outlet.terms.kind !== 'video') return;
    const { target } = chooseLayer(UNDECIDED, { layers, choice: this.#choice, available: undefined, now });
    video.find(({ id }) => id === target?.encodingId)?.wantKeyframe(now);
  }

  #arrangeVideo(source: Source, available: number | undefined, now: number): number {
    const { layers } = source;
    const before = now - this.#since < FINDING_OUT_MS ? { ...this.#decision, target: undefined } : this.#decision;
    const isTriedOut = this.outlet.canFill;
    this.#decision = chooseLayer(before, { layers, choice: this.#choice, available, isTriedOut, now });
    const { target } = this.#decision;
    // While nothing comes, there is nothing better than what came last.
    if (!target) return 0;
    const { encodingId, spatialLayerId = Infinity, temporalLayerId = Infinity } = target;
    this.outlet.show(
      source.video.find(({ id }) => id === encodingId),
      now,
    );
    this.outlet.limit({ spatial: spatialLayerId, temporal: temporalLayerId }, now);
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
