import type { PayloadInfo } from './payload-info.js';

/** The highest layers to send. Infinity: all. */
export interface LayerLimit {
  readonly spatial: number;
  readonly temporal: number;
}

export const ALL_LAYERS: LayerLimit = { spatial: Infinity, temporal: Infinity };

/**
 * Drops packets of a scalable encoding above a limit. The limit changes only at pictures where a decoder can follow.
 */
export class LayerFilter {
  readonly #readsDescriptors: boolean;
  #limit = ALL_LAYERS;
  #spatial = Infinity;
  #temporal = Infinity;

  /**
   * @param readsDescriptors whether the receiver gets dependency descriptors. Without them, players cannot put together
   *   pictures of several spatial layers, and show nothing: they get the lowest
   */
  constructor(readsDescriptors: boolean) {
    this.#readsDescriptors = readsDescriptors;
  }

  /** Takes effect with the next picture that allows the change. */
  limit(limit: LayerLimit): void {
    this.#limit = limit;
  }

  /** Whether the limit can be reached only with a keyframe. */
  get needsKeyframe(): boolean {
    return this.#spatial < this.#limit.spatial;
  }

  /** Applies the limit at once. Call when a keyframe follows, of this or another encoding. */
  reset(): void {
    this.#spatial = this.#limit.spatial;
    this.#temporal = this.#limit.temporal;
  }

  /** Whether to drop the packet. Call once for each packet, in the order of arrival. */
  drops(payload: PayloadInfo): boolean {
    const { spatialId, temporalId } = payload;
    if (spatialId < 0 && temporalId < 0) return false;
    if (payload.startsFrame && spatialId <= 0) this.#enterPicture(payload);
    return spatialId > this.#highestSpatial(payload) || temporalId > this.#temporal;
  }

  /** Whether this is the last packet of a picture that is sent: the layers above are dropped. */
  endsPicture(payload: PayloadInfo): boolean {
    const { endsFrame, spatialId } = payload;
    return endsFrame && spatialId >= 0 && spatialId === this.#highestSpatial(payload);
  }

  #highestSpatial({ frameNumber }: PayloadInfo): number {
    return frameNumber >= 0 && !this.#readsDescriptors ? 0 : this.#spatial;
  }

  #enterPicture(payload: PayloadInfo): void {
    const { spatial, temporal } = this.#limit;
    if (payload.startsKeyframe) return this.reset();
    // Going down is always possible: lower layers never depend on higher ones.
    if (spatial < this.#spatial) this.#spatial = spatial;
    if (temporal < this.#temporal) this.#temporal = temporal;
    if (temporal <= this.#temporal) return;
    const { temporalId } = payload;
    if (payload.isSwitchingPoint && temporalId <= this.#temporal) this.#temporal = temporal;
    else if (payload.isLayerSync && temporalId > this.#temporal && temporalId <= temporal) this.#temporal = temporalId;
  }
}
