/** Reads a codec's header bit by bit. Past the end it reads zeros, and `isPastEnd` is true. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  /** @param start offset of the first byte. @param end offset after the last byte */
  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = 8 * start;
    this.#end = 8 * end;
  }

  get isPastEnd(): boolean {
    return this.#at > this.#end;
  }

  bit(): number {
    const at = this.#at++;
    return at < this.#end ? (this.#bytes[at >> 3]! >> (7 - (at & 7))) & 1 : 0;
  }

  /** @param count up to 32 */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** An unsigned Exp-Golomb code (H.264 section 9.1), the same as AV1's uvlc (section 4.10.3). */
  expGolomb(): number {
    let zeros = 0;
    while (!this.isPastEnd && zeros < 32 && this.bit() === 0) zeros++;
    return zeros >= 32 ? 0 : 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed Exp-Golomb code (H.264 section 9.1.1). */
  signedExpGolomb(): number {
    const code = this.expGolomb();
    return code % 2 ? (code + 1) / 2 : -code / 2;
  }
}
