import { qualityOrder } from '../producer/quality-order.js';
import type { AssembledFrame } from './frame-assembler.js';

/** An encoding that sent nothing for this long is given up, if another one sends. */
const SILENT_MS = 1_000;
const MEASURE_MS = 1_000;

interface Encoding {
  /** When the last packet came. Undefined: none did. */
  lastPacketAt: number | undefined;
  /** Of its newest keyframe. 0: unknown. */
  pixels: number;
  /** Since the last measurement. */
  bytes: number;
  /** In bytes between two measurements: only compared. */
  bitrate: number;
}

/** Chooses which encoding of a simulcast source is passed on: the best that arrives. It changes at keyframes. */
export class EncodingChoice {
  readonly #encodings: readonly Encoding[];
  /** By quality, the smallest first. */
  #order: readonly number[];
  #current: number | undefined;
  #measuredAt: number | undefined;

  constructor(encodings: number) {
    this.#encodings = Array.from({ length: encodings }, () => ({
      lastPacketAt: undefined,
      pixels: 0,
      bytes: 0,
      bitrate: 0,
    }));
    this.#order = [...this.#encodings.keys()];
  }

  get current(): number | undefined {
    return this.#current;
  }

  onPacket(index: number, bytes: number, now: number): void {
    const encoding = this.#encodings[index]!;
    encoding.lastPacketAt = now;
    encoding.bytes += bytes;
    this.#measuredAt ??= now;
    if (now - this.#measuredAt >= MEASURE_MS) this.#measure(now);
  }

  /** @returns whether to pass the frame on */
  onFrame(index: number, { isKeyframe, width, height }: AssembledFrame, now: number): boolean {
    const pixels = width * height;
    // Only keyframes have a size.
    if (pixels > 0) {
      this.#encodings[index]!.pixels = pixels;
      this.#order = qualityOrder(this.#order, this.#encodings);
    }
    if (isKeyframe && this.#isBetter(index, now)) this.#current = index;
    return index === this.#current;
  }

  /** The best encoding that arrives: if it is not the current one, it waits for a keyframe. */
  best(now: number): number | undefined {
    return this.#order.findLast((index) => !this.#isSilent(index, now)) ?? this.#current;
  }

  #measure(now: number): void {
    for (const encoding of this.#encodings) {
      encoding.bitrate = encoding.bytes;
      encoding.bytes = 0;
    }
    this.#measuredAt = now;
    this.#order = qualityOrder(this.#order, this.#encodings);
  }

  #isBetter(index: number, now: number): boolean {
    if (this.#current === undefined || this.#isSilent(this.#current, now)) return true;
    return this.#order.indexOf(index) > this.#order.indexOf(this.#current);
  }

  #isSilent(index: number, now: number): boolean {
    return now - (this.#encodings[index]!.lastPacketAt ?? -Infinity) >= SILENT_MS;
  }
}
