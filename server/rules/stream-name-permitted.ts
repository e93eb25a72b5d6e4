import type { Rule } from './access-request.js';
import { firstOf } from './first-of.js';
import { ALLOW, deny } from './verdict.js';

/** The token names this stream, exactly or by a pattern. A token that names no stream permits none. */
export const streamNamePermitted: Rule = {
  name: 'stream-name-permitted',
  decide: ({ token, streamName }) => (!token || token.permitsStream(streamName) ? ALLOW : deny('stream_not_permitted')),
  looksAt: ({ token, streamName }) => ({ streamName, streams: firstOf(token?.streams) }),
};
