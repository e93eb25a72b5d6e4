const parameters = new URLSearchParams(location.hash.slice(1));

/** The streams and the tokens. Your page gets them from its server; this one reads them from its URL fragment. */
export const settings = {
  streams: (parameters.get('streams') ?? 'keynote,workshop').split(','),
  token: parameters.get('token') ?? '',
  publishToken: parameters.get('publish-token') ?? '',
};
