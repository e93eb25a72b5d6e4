export interface Settings {
  readonly endpoint: string;
  readonly streams: readonly string[];
  readonly token: string;
  readonly publishToken: string;
}

/** Where the streams are, and who may see them. Your page knows, or asks its server; this one reads it in its address. */
export function readSettings(): Settings {
  const given = new URLSearchParams(location.hash.slice(1));
  return {
    endpoint: given.get('endpoint') ?? 'http://localhost:8080',
    streams: (given.get('streams') ?? 'keynote,workshop').split(','),
    token: given.get('token') ?? '',
    publishToken: given.get('publish-token') ?? '',
  };
}
