import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Request, Response } from 'express';

/** What the build wrote beside a file, by the words that HTTP has for it (RFC 9110, 8.4.1): the smaller first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/** A file as it is sent: in each encoding that there is, and by a tag that is of these bytes and no others. */
interface BuiltFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly encoded: readonly { readonly encoding: Encoding; readonly bytes: Buffer }[];
  readonly etag: string;
}

/**
 * The files of a build, compressed when they were built. They stay what they are for as long as the server runs.
 *
 * Ours, as sirv, serve-static and what is built on them tag a file by its size and time. An archive or an image may
 * give every build the same time, and two builds of a page often differ in nothing but hashes of equal length:
 * browsers would be told to keep the old page, whose assets are gone.
 */
export class BuiltFiles {
  readonly #folder: string;
  readonly #read = new Map<string, BuiltFile>();
  #names: ReadonlySet<string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Undefined: the build wrote none by this name.
   * @param name below the folder, as in `i18n/de.js`; anything, as it comes out of an address
   */
  get(name: string): BuiltFile | undefined {
    const known = this.#read.get(name);
    if (known || !this.#has(name) || !/\.(?!br$|gz$)\w+$/.test(name)) return known;
    const path = join(this.#folder, name);
    const bytes = readFileSync(path);
    const file: BuiltFile = {
      name,
      bytes,
      encoded: (['br', 'gzip'] as const)
        .filter((encoding) => this.#has(name + ENCODINGS[encoding]))
        .map((encoding) => ({ encoding, bytes: readFileSync(path + ENCODINGS[encoding]) })),
      etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    };
    this.#read.set(name, file);
    return file;
  }

  /** Looked up in a list: no address leads out of the folder. */
  #has(name: string): boolean {
    this.#names ??= new Set(
      existsSync(this.#folder)
        ? readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'))
        : [],
    );
    return this.#names.has(name);
  }
}

/** Sends a file in the smallest encoding that the browser takes, or says that what it has is still that file. */
export function sendBuiltFile(req: Request, res: Response, { name, bytes, encoded, etag }: BuiltFile): void {
  // One by one: asked for both, Express goes by the order in which the browser names them.
  const chosen = encoded.find(({ encoding }) => req.acceptsEncodings(encoding));
  res.vary('accept-encoding').type(name.slice(name.lastIndexOf('.')));
  // Other bytes are another representation, of which caches keep each (RFC 9110, 8.8.3.3).
  res.setHeader('etag', chosen ? `"${etag}-${chosen.encoding}"` : `"${etag}"`);
  if (chosen) res.setHeader('content-encoding', chosen.encoding);
  res.send(chosen?.bytes ?? bytes);
}
