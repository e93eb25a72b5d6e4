const CAPTURE = Buffer.from('OggS', 'latin1');
const HEADER = 27;
/** OpusHead and OpusTags (RFC 7845 section 3). */
const HEADER_PACKETS = 2;
/** Pages are at most 65 kB (RFC 3533 section 6). */
const MAX_BUFFERED = 1 << 17;

/** Reads the Opus packets of an Ogg stream (RFC 3533) as its bytes come. */
export class OpusPages {
  #bytes: Buffer = Buffer.alloc(0);
  /** The start of a packet that continues on the next page. */
  #partial: Buffer[] = [];
  #packets = 0;

  /** @throws {Error} the bytes are no Ogg stream */
  read(chunk: Buffer): readonly Buffer[] {
    this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk;
    const found: Buffer[] = [];
    for (let page = this.#nextPage(); page; page = this.#nextPage()) {
      for (const packet of this.#packetsOf(page)) if (this.#packets++ >= HEADER_PACKETS) found.push(packet);
    }
    if (this.#bytes.length > MAX_BUFFERED) throw new RangeError('an Ogg page is too long');
    return found;
  }

  #nextPage(): { readonly lacing: Buffer; readonly body: Buffer } | undefined {
    const bytes = this.#bytes;
    if (bytes.length < HEADER) return undefined;
    if (!bytes.subarray(0, 4).equals(CAPTURE)) throw new RangeError('not an Ogg page');
    const start = HEADER + bytes[26]!;
    if (bytes.length < start) return undefined;
    const lacing = bytes.subarray(HEADER, start);
    const end = start + lacing.reduce((sum, length) => sum + length, 0);
    if (bytes.length < end) return undefined;
    this.#bytes = bytes.subarray(end);
    return { lacing, body: bytes.subarray(start, end) };
  }

  *#packetsOf({ lacing, body }: { readonly lacing: Buffer; readonly body: Buffer }): Generator<Buffer> {
    let at = 0;
    for (const length of lacing) {
      this.#partial.push(body.subarray(at, at + length));
      at += length;
      // A segment that is not full ends its packet.
      if (length === 255) continue;
      yield Buffer.concat(this.#partial);
      this.#partial = [];
    }
  }
}
