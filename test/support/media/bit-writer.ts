/** Writes values bit by bit. */
export class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push(Math.floor(value / 2 ** bit) % 2);
    return this;
  }

  /** Exp-Golomb code (H.264 section 9.1). */
  expGolomb(value: number): this {
    const bits = Math.floor(Math.log2(value + 1));
    return this.write(0, bits).write(value + 1, bits + 1);
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [index, bit] of this.#bits.entries()) if (bit) bytes[index >> 3]! |= 0x80 >> (index & 7);
    return bytes;
  }
}
