import type { IncomingMessage } from 'node:http';

/** The token presented. `NoAuth` is how some native clients say none; a scheme we cannot read is a token we do not know. */
export function bearerToken({ headers: { authorization } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  if (!authorization || authorization.toLowerCase() === 'noauth') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}
