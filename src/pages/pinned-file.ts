/** The file for script tags at the address of its version, where it never changes. */
export interface PinnedFile {
  readonly path: string;
  readonly integrity: string;
}

/** Undefined: what the server said is not to be understood. */
export function readPinnedFile(answer: unknown): PinnedFile | undefined {
  const { version, files } = Object(answer) as { readonly version?: unknown; readonly files?: unknown };
  const integrity: unknown = Object(files)['streamgate.js'];
  if (typeof version !== 'string' || typeof integrity !== 'string') return undefined;
  return { path: `/streamgate-${version}.js`, integrity };
}

/** Asks the server which version it has. It is no loss not to know. */
export async function fetchPinnedFile(origin: string): Promise<PinnedFile | undefined> {
  try {
    const response = await fetch(`${origin}/streamgate-integrity.json`);
    return readPinnedFile(await response.json());
  } catch {
    return undefined;
  }
}
