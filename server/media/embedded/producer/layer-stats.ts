import type { FrameSize } from '../rtp/payload.js';

/** What came of one layer of an encoding. */
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

interface Count {
  readonly spatialId: number;
  readonly temporalId: number;
  bytes: number;
  packets: number;
  totalBytes: number;
  bitrate: number;
  packetsBefore: number;
}

/** Until this long after the first packet there is nothing to go by. */
const LEAST_WINDOW_MS = 200;

/** Counts what comes of each layer of one encoding. A layer is itself, without those that it builds upon. */
export class LayerStats {
  readonly #counts: Count[] = [];
  readonly #sizes: FrameSize[] = [];
  #since: number | undefined;
  #rolled = false;

  /** Whether nothing was measured yet: it began less than a second ago. */
  get isNew(): boolean {
    return !this.#rolled;
  }

  /** @param sizes of a keyframe, by spatial layer; empty when this packet tells none */
  add(bytes: number, spatialId: number, temporalId: number, sizes: readonly FrameSize[], now: number): void {
    this.#since ??= now;
    const count = this.#find(spatialId, temporalId) ?? this.#begin(spatialId, temporalId);
    count.bytes += bytes;
    count.packets++;
    for (let layer = 0; layer < sizes.length; layer++) this.#sizes[layer] = sizes[layer]!;
  }

  /** The bitrate of all layers together. */
  get bitrate(): number {
    return this.#counts.reduce((sum, { bitrate }) => sum + bitrate, 0);
  }

  /** To be called once a second: what came since the last time is what there is now. */
  endInterval(now: number): void {
    const elapsed = now - (this.#since ?? now);
    if (elapsed < LEAST_WINDOW_MS) return;
    for (const count of this.#counts) {
      count.bitrate = Math.round((count.bytes * 8_000) / elapsed);
      count.packetsBefore = count.packets;
      count.totalBytes += count.bytes;
      count.bytes = count.packets = 0;
    }
    this.#since = now;
    this.#rolled = true;
  }

  samples(): LayerSample[] {
    return this.#counts
      .map(({ spatialId, temporalId, bitrate, packetsBefore, totalBytes }) => ({
        spatialId,
        temporalId,
        bitrate,
        packets: packetsBefore,
        totalBytes,
        size: this.#sizes[Math.max(0, spatialId)],
      }))
      .toSorted((a, b) => a.spatialId - b.spatialId || a.temporalId - b.temporalId);
  }

  #find(spatialId: number, temporalId: number): Count | undefined {
    for (const count of this.#counts) {
      if (count.spatialId === spatialId && count.temporalId === temporalId) return count;
    }
    return undefined;
  }

  #begin(spatialId: number, temporalId: number): Count {
    const count = { spatialId, temporalId, bytes: 0, packets: 0, totalBytes: 0, bitrate: 0, packetsBefore: 0 };
    this.#counts.push(count);
    return count;
  }
}
