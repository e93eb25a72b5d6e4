import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** File endings of the compressed files, by content coding (RFC 9110, 8.4.1). The smaller one is first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/** A file, with its compressed forms. The ETag is a hash of the bytes. */
export interface BuiltFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly encoded: readonly { readonly encoding: Encoding; readonly bytes: Buffer }[];
  readonly etag: string;
}

/**
 * The files of a build, compressed by the build. They do not change while the server runs.
 *
 * This is not sirv or serve-static, because their ETag is the size and time of a file. An archive or a container image
 * may give every build the same time, and two builds of a page often differ only in hashes of equal length. Browsers
 * would then keep the old page, whose assets no longer exist.
 */
export class BuiltFiles {
  readonly #folder: string;
  readonly #read = new Map<string, BuiltFile>();
  #names: ReadonlySet<string> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Undefined: the build has no such file.
   * @param name relative to the folder, such as `i18n/de.js`; any text of a URL is safe
   */
  get(name: string): BuiltFile | undefined {
    const known = this.#read.get(name);
    if (known || !this.#has(name) || !/\.(?!br$|gz$)\w+$/.test(name)) return known;
    const path = join(this.#folder, name);
    const bytes = readFileSync(path);
    const encoded = (['br', 'gzip'] as const)
      .filter((encoding) => this.#has(name + ENCODINGS[encoding]))
      .map((encoding) => ({ encoding, bytes: readFileSync(path + ENCODINGS[encoding]) }));
    const file = builtFile(name, bytes, encoded);
    this.#read.set(name, file);
    return file;
  }

  /** Looks the name up in a list, so that no name leads out of the folder. */
  #has(name: string): boolean {
    this.#names ??= new Set(
      existsSync(this.#folder)
        ? readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'))
        : [],
    );
    return this.#names.has(name);
  }
}

function builtFile(name: string, bytes: Buffer, encoded: BuiltFile['encoded']): BuiltFile {
  return { name, bytes, encoded, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}

/** A file that the server makes once, from a text. @param name with an ending, such as `openapi.json` */
export function madeFile(name: string, text: string): BuiltFile {
  const bytes = Buffer.from(text);
  return builtFile(name, bytes, [{ encoding: 'gzip', bytes: gzipSync(bytes) }]);
}

/** Sends a file in the smallest encoding that the browser accepts. Express answers 304 if the ETag matches. */
export function sendBuiltFile(req: Request, res: Response, { name, bytes, encoded, etag }: BuiltFile): void {
  // One at a time: given both, Express prefers the order of the Accept-Encoding header.
  const chosen = encoded.find(({ encoding }) => req.acceptsEncodings(encoding));
  res.vary('accept-encoding').type(name.slice(name.lastIndexOf('.')));
  // Each encoding is a representation with its own ETag (RFC 9110, 8.8.3.3).
  res.setHeader('etag', chosen ? `"${etag}-${chosen.encoding}"` : `"${etag}"`);
  if (chosen) res.setHeader('content-encoding', chosen.encoding);
  res.send(chosen?.bytes ?? bytes);
}

/** Where the build writes pages and assets. The same folder for the source and the compiled server. */
export function publicDir(): string {
  const packageJson = fileURLToPath(import.meta.resolve('@streamgate/server/package.json'));
  return join(dirname(packageJson), 'dist', 'public');
}
