export interface Settings {
  readonly endpoint: string;
  readonly streams: readonly string[];
  readonly token: string;
  readonly publishToken: string;
}

/** Server, streams and tokens. Your page gets them from its own server; this one reads them from its URL fragment. */
export function readSettings(): Settings {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return {
    endpoint: parameters.get('endpoint') ?? 'http://localhost:8080',
    streams: (parameters.get('streams') ?? 'keynote,workshop').split(','),
    token: parameters.get('token') ?? '',
    publishToken: parameters.get('publish-token') ?? '',
  };
}
