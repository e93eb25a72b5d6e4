import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { PageHead } from './page-head.js';

const ICON = /<link rel="icon"[^>]*>/;
const END_OF_HEAD = '</head>';

/** RFC 1952, 2.3: compressed with deflate, without name and time, on no system in particular. */
const GZIP_BEGIN = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** RFC 1951, 3.2.3: an empty block, the last one of the stream. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** A part of a page. `deflated` refers to nothing before it and ends on a byte, so that parts follow one another. */
interface Part {
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/**
 * A page of the build with places for what an account and a stream add to its head. The page is compressed once, in
 * parts: a request costs the compression of what is added, because strangers can ask for pages of any number of streams.
 */
export class PageTemplate {
  readonly #beforeIcon: Part;
  readonly #icon: Part;
  readonly #beforeTags: Part;
  readonly #end: Part;

  /** @throws {Error} a page of our own has no end of its head */
  constructor(html: string) {
    const [icon = '', at] = iconOf(html);
    const endOfHead = html.indexOf(END_OF_HEAD);
    if (endOfHead < 0) throw new Error(`the page has no ${END_OF_HEAD}`);
    this.#beforeIcon = partOf(html.slice(0, at));
    this.#icon = partOf(icon);
    this.#beforeTags = partOf(html.slice(at + icon.length, endOfHead));
    this.#end = partOf(html.slice(endOfHead));
  }

  plain(head: PageHead): Buffer {
    return Buffer.concat(this.#with(head).map(({ bytes }) => bytes));
  }

  /** The page in the coding gzip. Brotli cannot be put together from parts; for the built pages it saves a tenth. */
  gzip(head: PageHead): Buffer {
    const parts = this.#with(head);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(parts.reduce((sum, { bytes }) => crc32(bytes, sum), 0));
    trailer.writeUInt32LE(
      parts.reduce((length, { bytes }) => length + bytes.length, 0),
      4,
    );
    return Buffer.concat([GZIP_BEGIN, ...parts.map(({ deflated }) => deflated), LAST_BLOCK, trailer]);
  }

  #with({ icon, tags }: PageHead): readonly Part[] {
    const shownIcon = icon === undefined ? this.#icon : partOf(icon);
    return [this.#beforeIcon, shownIcon, this.#beforeTags, partOf(tags), this.#end];
  }
}

function iconOf(html: string): [icon: string | undefined, at: number] {
  const found = ICON.exec(html);
  return [found?.[0], found?.index ?? 0];
}

function partOf(text: string): Part {
  const bytes = Buffer.from(text);
  return { bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }) };
}
