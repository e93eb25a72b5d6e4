import type { PayloadInfo } from '../rtp/payload.js';

/** The highest layers that are sent. Infinity: all. */
export interface LayerLimit {
  readonly spatial: number;
  readonly temporal: number;
}

export const ALL_LAYERS: LayerLimit = { spatial: Infinity, temporal: Infinity };

/** Which packets of a scalable encoding one receiver does without. It changes only where a decoder can follow. */
export class LayerFilter {
  #limit = ALL_LAYERS;
  #spatial = Infinity;
  #temporal = Infinity;

  /** Takes effect with the next picture that permits it. */
  limit(limit: LayerLimit): void {
    this.#limit = limit;
  }

  /** Whether only a keyframe brings what the limit permits. */
  get needsKeyframe(): boolean {
    return this.#spatial < this.#limit.spatial;
  }

  /** A keyframe follows, of this or another encoding. */
  reset(): void {
    this.#spatial = this.#limit.spatial;
    this.#temporal = this.#limit.temporal;
  }

  /** To be asked for each packet once, in the order in which they come. */
  drops(payload: PayloadInfo): boolean {
    const { spatialId, temporalId } = payload;
    if (spatialId < 0 && temporalId < 0) return false;
    if (payload.startsFrame && spatialId <= 0) this.#enterPicture(payload);
    return spatialId > this.#spatial || temporalId > this.#temporal;
  }

  /** Whether this is a picture's last packet for a receiver who does without the layers above. */
  endsPicture({ endsFrame, spatialId }: PayloadInfo): boolean {
    return endsFrame && spatialId >= 0 && spatialId === this.#spatial;
  }

  #enterPicture(payload: PayloadInfo): void {
    const { spatial, temporal } = this.#limit;
    if (payload.startsKeyframe) return this.reset();
    // Nothing below builds on what is above.
    if (spatial < this.#spatial) this.#spatial = spatial;
    if (temporal < this.#temporal) this.#temporal = temporal;
    if (temporal <= this.#temporal) return;
    const { temporalId } = payload;
    if (payload.isSwitchingPoint && temporalId <= this.#temporal) this.#temporal = temporal;
    else if (payload.isLayerSync && temporalId > this.#temporal && temporalId <= temporal) this.#temporal = temporalId;
  }
}
