import type { IncomingMessage } from 'node:http';

/**
 * The token of the Authorization header. Undefined: none, which some native clients send as `NoAuth`. Empty: another
 * scheme than Bearer, which is refused as an unknown token.
 */
export function bearerToken({ headers: { authorization } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  if (!authorization || authorization.toLowerCase() === 'noauth') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}
