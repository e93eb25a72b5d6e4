import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Reader, type CountryResponse } from 'mmdb-lib';
import { every } from '../faults/timers.js';

export interface CountryDatabaseOptions {
  /** A changed file could not be read. The countries of the one before stay in use. Must not throw. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The changed file is in use. */
  readonly onReload?: (() => void) | undefined;
  /** How often the file is looked at, in milliseconds. 0: never. */
  readonly checkEveryMs?: number | undefined;
}

const CHECK_EVERY_MS = 5_000;

/**
 * The countries of addresses from a file in MaxMind's format (MMDB), in memory. When the file is replaced, the new one
 * is read beside the old one, and used only if all of it can be read.
 */
export class CountryDatabase {
  readonly #file: string;
  readonly #options: CountryDatabaseOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #reader: Reader<CountryResponse>;
  #version: string;

  /** @throws {Error} the file cannot be read, or is not in this format */
  constructor(file: string, options: CountryDatabaseOptions = {}) {
    this.#file = file;
    this.#options = options;
    this.#version = versionOf(statSync(file));
    this.#reader = readerOf(readFileSync(file));
    const { checkEveryMs = CHECK_EVERY_MS } = options;
    if (checkEveryMs > 0) this.#timer = every('admission', checkEveryMs, () => this.reload()).unref();
  }

  /** @returns an ISO 3166-1 code of two letters; undefined if the country of the address is not known */
  countryOf(address: string): string | undefined {
    return address === '' ? undefined : this.#reader.get(address)?.country?.iso_code;
  }

  /** Reads the file again if it has changed. */
  async reload(): Promise<void> {
    try {
      const version = versionOf(await stat(this.#file));
      if (version === this.#version) return;
      // Set before the file is read: a broken file is reported once, and read again when it changes again.
      this.#version = version;
      this.#reader = readerOf(await readFile(this.#file));
      this.#options.onReload?.();
    } catch (error) {
      // While a file is replaced, there may be none for a moment.
      if (!isMissing(error)) this.#options.onError?.(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function versionOf({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string {
  return `${ino}:${size}:${mtimeMs}`;
}

/** @throws {Error} the file is not in this format, or only the beginning of one */
function readerOf(content: Buffer): Reader<CountryResponse> {
  const reader = new Reader<CountryResponse>(content);
  // The metadata is at the end of the file. The search tree before it is read here for both kinds of addresses.
  for (const address of ['192.0.2.1', '2001:db8::1']) reader.get(address);
  return reader;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
