import type { Request } from 'express';
import type { AccessAttempt } from '../admission/admission.js';
import { bearerToken } from '../http/request/bearer-token.js';
import type { ClientAddress } from '../http/request/client-address.js';

/** What a request says of whoever made it. */
export function callerOf(
  req: Request,
  clientAddress: ClientAddress,
): Pick<AccessAttempt, 'token' | 'origin' | 'address'> {
  return { token: bearerToken(req), origin: req.headers.origin, address: clientAddress(req) };
}

/** The rest of a path: a stream's name may hold slashes, escaped or not. One at the end changes nothing. */
export function restOfPath(segments: string | readonly string[] | undefined = []): string {
  if (typeof segments === 'string') return segments;
  return (segments.at(-1) === '' ? segments.slice(0, -1) : segments).join('/');
}
