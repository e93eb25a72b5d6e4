const given = new URLSearchParams(location.hash.slice(1));

/** Where the streams are, and who may see them. Your page knows, or asks its server; this one reads it in its address. */
export const settings = {
  endpoint: given.get('endpoint') ?? 'http://localhost:8080',
  streams: (given.get('streams') ?? 'keynote,workshop').split(','),
  token: given.get('token') ?? '',
  publishToken: given.get('publish-token') ?? '',
};
