import { readFile } from 'node:fs/promises';
import type { LoadedLibrary } from './webrtc-library.js';

/** For the log. */
export interface LibraryVersions {
  readonly library: string;
  /** `unknown`: none of its files names it. */
  readonly crypto: string;
}

/** What each crypto library has in its file. */
const CRYPTO_VERSIONS = [/OpenSSL \d+\.\d+\.\d+[a-z]*(?=[ -])/, /GnuTLS \d+\.\d+\.\d+/];

/** OpenSSL 1.1.1 ended in September 2023: https://endoflife.date/openssl. What is unknown may be supported. */
export const isSupported = (crypto: string): boolean => !/^OpenSSL [01]\./.test(crypto);

/** Reads the version of the crypto library in the files that were loaded: the WebRTC library has no call for it. */
export async function libraryVersions({ version, files }: LoadedLibrary): Promise<LibraryVersions> {
  const library = `libdatachannel ${version}`;
  for (const file of files) {
    const crypto = cryptoVersion(await readFile(file, 'latin1').catch(() => ''));
    if (crypto !== undefined) return { library, crypto };
  }
  return { library, crypto: 'unknown' };
}

function cryptoVersion(content: string): string | undefined {
  for (const version of CRYPTO_VERSIONS) {
    const found = version.exec(content)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
