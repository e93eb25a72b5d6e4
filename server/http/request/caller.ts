import type { IncomingMessage } from 'node:http';
import type { AccessAttempt } from '../../admission/access-request-factory.js';
import type { ClientAddress } from './client-address.js';

/** The token, origin and address of a request. */
export function callerOf(
  req: IncomingMessage,
  clientAddress: ClientAddress,
): Pick<AccessAttempt, 'token' | 'origin' | 'address'> {
  return { token: bearerToken(req), origin: req.headers.origin, address: clientAddress(req) };
}

/**
 * The token of the Authorization header. Undefined: none, which some native clients send as `NoAuth`. Empty: another
 * scheme than Bearer, which is refused as an unknown token.
 */
function bearerToken({ headers: { authorization } }: IncomingMessage): string | undefined {
  if (!authorization || authorization.toLowerCase() === 'noauth') return undefined;
  return /^Bearer[ \t]+(\S+)$/i.exec(authorization)?.[1] ?? '';
}
