import { getLibraryVersion } from 'node-datachannel';

/** The WebRTC library as a process has loaded it. */
export interface LoadedLibrary {
  readonly version: string;
  /** The native files of the process that may contain its crypto library: its own first. */
  readonly files: readonly string[];
}

const OWN_FILE = /node_datachannel\.node$/;
const CRYPTO_FILE = /(?:libcrypto|libgnutls|libmbedcrypto)[^/\\]*$/;

/** Takes a millisecond or two. */
export function loadedLibrary(): LoadedLibrary {
  const files = sharedObjects();
  const matching = (name: RegExp): string[] => files.filter((file) => name.test(file));
  return { version: getLibraryVersion(), files: [...matching(OWN_FILE), ...matching(CRYPTO_FILE)] };
}

/** Every native file that this process has loaded. */
function sharedObjects(): string[] {
  // Else Node looks up the names of all addresses that the process has sockets to.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const content: object = report.getReport();
  const files: unknown = 'sharedObjects' in content ? content.sharedObjects : undefined;
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
}
