import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/** The token names the stream, exactly or by a pattern. A token that names no stream permits none. */
export const streamNamePermitted: Rule = {
  name: 'stream-name-permitted',
  decide: ({ token, streamName }) => (!token || token.permitsStream(streamName) ? ALLOW : deny('stream_not_permitted')),
  looksAt: ({ token, streamName }) => ({ streamName, streams: listPreview(token?.streams) }),
};
