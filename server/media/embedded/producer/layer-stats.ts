import type { FrameSize } from '../rtp/payload-info.js';

/** What arrived of one layer of an encoding. */
export interface LayerSample {
  /** -1: the encoding has no layers of that dimension. */
  readonly spatialId: number;
  readonly temporalId: number;
  /** In the last second. */
  readonly bitrate: number;
  readonly packets: number;
  readonly totalBytes: number;
  readonly size: FrameSize | undefined;
}

interface LayerCounter {
  readonly spatialId: number;
  readonly temporalId: number;
  bytes: number;
  packets: number;
  totalBytes: number;
  /** Of the last interval. */
  bitrate: number;
  lastPackets: number;
}

/** A shorter interval gives no meaningful bitrate. */
const MIN_INTERVAL_MS = 200;

/** Bitrate, packets and picture size of each layer of one encoding, without the layers that it depends on. */
export class LayerStats {
  readonly #counters: LayerCounter[] = [];
  readonly #sizes: FrameSize[] = [];
  #intervalStart: number | undefined;
  #measured = false;
  /** What another server measured. */
  #described: readonly LayerSample[] | undefined;

  /** Whether nothing was measured yet: the first packet arrived less than a second ago. */
  get isNew(): boolean {
    return !this.#measured;
  }

  /** From now on what another server measures holds, which receives the encoding whether it sends it on or not. */
  describe(samples: readonly LayerSample[]): void {
    this.#described = samples;
    this.#measured = samples.length > 0;
  }

  /** Of the largest picture. 0: unknown. */
  get pixels(): number {
    const sizes = this.#described ? this.#described.map(({ size }) => size) : this.#sizes;
    return Math.max(0, ...sizes.map((size) => (size ? size.width * size.height : 0)));
  }

  /** @param sizes of a keyframe, by spatial layer; empty if the packet does not contain any */
  add(bytes: number, spatialId: number, temporalId: number, sizes: readonly FrameSize[], now: number): void {
    this.#intervalStart ??= now;
    const counter = this.#find(spatialId, temporalId) ?? this.#create(spatialId, temporalId);
    counter.bytes += bytes;
    counter.packets++;
    this.addSizes(sizes);
  }

  addSizes(sizes: readonly FrameSize[]): void {
    for (let layer = 0; layer < sizes.length; layer++) this.#sizes[layer] = sizes[layer]!;
  }

  /** The bitrate of all layers together. */
  get bitrate(): number {
    return (this.#described ?? this.#counters).reduce((sum, { bitrate }) => sum + bitrate, 0);
  }

  /** Call once a second: ends a measurement and starts the next. */
  endInterval(now: number): void {
    if (this.#described) return;
    const elapsed = now - (this.#intervalStart ?? now);
    if (elapsed < MIN_INTERVAL_MS) return;
    for (const counter of this.#counters) {
      counter.bitrate = Math.round((counter.bytes * 8_000) / elapsed);
      counter.lastPackets = counter.packets;
      counter.totalBytes += counter.bytes;
      counter.bytes = counter.packets = 0;
    }
    this.#intervalStart = now;
    this.#measured = true;
  }

  samples(): readonly LayerSample[] {
    if (this.#described) return this.#described;
    return this.#counters
      .map(({ spatialId, temporalId, bitrate, lastPackets, totalBytes }) => ({
        spatialId,
        temporalId,
        bitrate,
        packets: lastPackets,
        totalBytes,
        size: this.#sizes[Math.max(0, spatialId)],
      }))
      .toSorted((a, b) => a.spatialId - b.spatialId || a.temporalId - b.temporalId);
  }

  #find(spatialId: number, temporalId: number): LayerCounter | undefined {
    for (const counter of this.#counters) {
      if (counter.spatialId === spatialId && counter.temporalId === temporalId) return counter;
    }
    return undefined;
  }

  #create(spatialId: number, temporalId: number): LayerCounter {
    const counter = { spatialId, temporalId, bytes: 0, packets: 0, totalBytes: 0, bitrate: 0, lastPackets: 0 };
    this.#counters.push(counter);
    return counter;
  }
}
