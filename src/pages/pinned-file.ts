/** The bundle of one version for script tags, at a URL whose content never changes. */
export interface PinnedFile {
  readonly path: string;
  readonly integrity: string;
}

/** Undefined: the answer cannot be read. */
export function readPinnedFile(answer: unknown): PinnedFile | undefined {
  const { version, files } = Object(answer) as { readonly version?: unknown; readonly files?: unknown };
  const integrity: unknown = Object(files)['streamgate.js'];
  if (typeof version !== 'string' || typeof integrity !== 'string') return undefined;
  return { path: `/streamgate-${version}.js`, integrity };
}

/** Requests the version of the server. Undefined: there is no readable answer. */
export async function fetchPinnedFile(origin: string): Promise<PinnedFile | undefined> {
  try {
    const response = await fetch(`${origin}/streamgate-integrity.json`);
    return readPinnedFile(await response.json());
  } catch {
    return undefined;
  }
}
