import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { PageHead } from './page-head.js';

const ICON = /<link rel="icon"[^>]*>/;
const END_OF_HEAD = '</head>';

/** RFC 1952, 2.3: compressed with deflate, without name and time, on no system in particular. */
const GZIP_BEGIN = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** RFC 1951, 3.2.4: the most bytes of a block that is not compressed. */
const MAX_STORED = 0xffff;
/** RFC 1951, 3.2.3: an empty block, the last one of the stream. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** A part of a page. `deflated` refers to nothing before it and ends on a byte, so that parts follow one another. */
interface Part {
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/**
 * A page of the build with places for what an account and a stream add to its head. The page is compressed once, in
 * parts, and what is added is not: strangers can ask for pages of any number of streams, and to compress some hundred
 * bytes costs as much as to send the page.
 */
export class PageTemplate {
  /** The CRC-32 of all before the tags, with the icon of the build. */
  readonly #beginning: number;
  readonly #beforeIcon: Part;
  readonly #icon: Part;
  readonly #beforeTags: Part;
  readonly #end: Part;

  /** @throws {Error} a page of our own has no end of its head */
  constructor(html: string) {
    const [icon = '', at] = iconOf(html);
    const endOfHead = html.indexOf(END_OF_HEAD);
    if (endOfHead < 0) throw new Error(`the page has no ${END_OF_HEAD}`);
    this.#beforeIcon = compressed(html.slice(0, at));
    this.#icon = compressed(icon);
    this.#beforeTags = compressed(html.slice(at + icon.length, endOfHead));
    this.#end = compressed(html.slice(endOfHead));
    this.#beginning = crc32(html.slice(0, endOfHead));
  }

  /** In parts, because to copy a page takes longer than to make it. */
  plain(head: PageHead): readonly Buffer[] {
    return this.#with(head).map(({ bytes }) => bytes);
  }

  /** The page in the coding gzip, in parts. Brotli cannot be put together from parts; for the built pages it saves a tenth. */
  gzip(head: PageHead): readonly Buffer[] {
    const parts = this.#with(head);
    const trailer = Buffer.alloc(8);
    const [known, others] = head.icon === undefined ? [this.#beginning, parts.slice(3)] : [0, parts];
    trailer.writeUInt32LE(others.reduce((sum, { bytes }) => crc32(bytes, sum), known));
    trailer.writeUInt32LE(
      parts.reduce((length, { bytes }) => length + bytes.length, 0),
      4,
    );
    return [GZIP_BEGIN, ...parts.map(({ deflated }) => deflated), LAST_BLOCK, trailer];
  }

  #with({ icon, tags }: PageHead): readonly Part[] {
    const shownIcon = icon === undefined ? this.#icon : stored(icon);
    return [this.#beforeIcon, shownIcon, this.#beforeTags, stored(tags), this.#end];
  }
}

function iconOf(html: string): [icon: string | undefined, at: number] {
  const found = ICON.exec(html);
  return [found?.[0], found?.index ?? 0];
}

function compressed(text: string): Part {
  const bytes = Buffer.from(text);
  return { bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }) };
}

/** In blocks that are not compressed, each with its length and the complement of it. */
function stored(text: string): Part {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const block = bytes.subarray(at, at + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ MAX_STORED, 3);
    blocks.push(head, block);
  }
  return { bytes, deflated: Buffer.concat(blocks) };
}
