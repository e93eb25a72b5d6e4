/** Opus packets of 20 ms, which the transcoder makes. */
export const OPUS_PACKET_MS = 20;
/** AAC frames have 1,024 samples. */
const AAC_SAMPLES = 1_024;
/** libopus needs 312 samples of 48 kHz before the first one: each packet begins with sound from before its frames. */
const LOOKAHEAD_MS = 6.5;
/** A smaller difference is the rounding of timestamps to ms, or jitter of the encoder. */
const MAX_DIFFERENCE_MS = 100;

/**
 * The timestamps of Opus packets that are made from AAC frames. Packets come later than frames and have other
 * lengths, so they are counted: each continues the one before. Where the encoder left sound out, they jump as its
 * timestamps do.
 */
export class OpusClock {
  readonly #frameMs: number;
  /** Where the sound is, by the number of frames and packets. */
  #takenMs = 0;
  #givenMs = 0;
  /** From that to timestamps, and the places from which on it holds. The first one holds now. */
  #offsets: { readonly fromMs: number; readonly offset: number }[] = [];

  /** @param sampleRate of the AAC frames, in Hz */
  constructor(sampleRate: number) {
    this.#frameMs = (AAC_SAMPLES * 1_000) / sampleRate;
  }

  /** An AAC frame goes in. @param timestamp in ms, without wraps */
  take(timestamp: number): void {
    const offset = timestamp - this.#takenMs;
    const known = this.#offsets.at(-1)?.offset;
    if (known === undefined || Math.abs(offset - known) > MAX_DIFFERENCE_MS) {
      this.#offsets.push({ fromMs: this.#takenMs, offset });
    }
    this.#takenMs += this.#frameMs;
  }

  /** An Opus packet comes out. @returns the timestamp of its first sample, in ms. It can be below 0. */
  give(): number {
    const at = this.#givenMs;
    this.#givenMs += OPUS_PACKET_MS;
    while (this.#offsets.length > 1 && this.#offsets[1]!.fromMs <= at) this.#offsets.shift();
    return at + (this.#offsets[0]?.offset ?? 0) - LOOKAHEAD_MS;
  }
}
