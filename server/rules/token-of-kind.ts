import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** Publish tokens publish and subscribe tokens watch; neither does the other's work. */
export function tokenOfKind({ kind, token }: AccessRequest): Verdict {
  return !token || token.kind === kind ? ALLOW : deny('token_wrong_kind');
}
