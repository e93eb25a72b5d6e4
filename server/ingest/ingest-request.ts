import type { Request } from 'express';
import type { AccessAttempt } from '../admission/admission.js';
import { bearerToken } from '../http/request/bearer-token.js';
import type { ClientAddress } from '../http/request/client-address.js';

/** The token, origin and address of a request. */
export function callerOf(
  req: Request,
  clientAddress: ClientAddress,
): Pick<AccessAttempt, 'token' | 'origin' | 'address'> {
  return { token: bearerToken(req), origin: req.headers.origin, address: clientAddress(req) };
}

/** The value of a wildcard parameter: a stream name may contain slashes, escaped or not. A slash at the end is ignored. */
export function wildcardPath(segments: string | readonly string[] | undefined = []): string {
  if (typeof segments === 'string') return segments;
  return (segments.at(-1) === '' ? segments.slice(0, -1) : segments).join('/');
}
