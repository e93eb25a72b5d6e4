import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** The token names this stream, exactly or by a pattern. A token that names no stream permits none. */
export function streamNamePermitted({ token, streamName }: AccessRequest): Verdict {
  return !token || token.permitsStream(streamName) ? ALLOW : deny('stream_not_permitted');
}
