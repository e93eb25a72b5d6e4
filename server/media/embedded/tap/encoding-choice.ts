/** An encoding that sent nothing for this long is given up, if another one sends. */
const SILENT_MS = 1_000;

/** Chooses which encoding of a simulcast source is passed on: the best that arrives. It changes at keyframes. */
export class EncodingChoice {
  /** When the last packet of each encoding came, the smallest first. Undefined: none did. */
  readonly #lastPacketAt: (number | undefined)[];
  #current: number | undefined;

  constructor(encodings: number) {
    this.#lastPacketAt = Array.from({ length: encodings }, () => undefined);
  }

  get current(): number | undefined {
    return this.#current;
  }

  onPacket(encoding: number, now: number): void {
    this.#lastPacketAt[encoding] = now;
  }

  /** @returns whether to pass the frame on */
  onFrame(encoding: number, isKeyframe: boolean, now: number): boolean {
    if (isKeyframe && this.#isBetter(encoding, now)) this.#current = encoding;
    return encoding === this.#current;
  }

  /** The best encoding that arrives: if it is not the current one, it waits for a keyframe. */
  best(now: number): number | undefined {
    const best = this.#lastPacketAt.findLastIndex((at) => at !== undefined && now - at < SILENT_MS);
    return best < 0 ? this.#current : best;
  }

  #isBetter(encoding: number, now: number): boolean {
    if (this.#current === undefined || encoding > this.#current) return true;
    return now - (this.#lastPacketAt[this.#current] ?? -Infinity) >= SILENT_MS;
  }
}
