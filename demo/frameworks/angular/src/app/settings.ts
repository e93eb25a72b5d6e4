const parameters = new URLSearchParams(location.hash.slice(1));

/** Server, streams and tokens. Your page gets them from its own server; this one reads them from its URL fragment. */
export const settings = {
  endpoint: parameters.get('endpoint') ?? 'http://localhost:8080',
  streams: (parameters.get('streams') ?? 'keynote,workshop').split(','),
  token: parameters.get('token') ?? '',
  publishToken: parameters.get('publish-token') ?? '',
};
