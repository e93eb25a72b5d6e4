import type { Request } from 'express';

/** The origin of this server for clients. */
export function originOf(req: Request, publicUrl: string | undefined): string {
  const origin = publicUrl ?? `${req.protocol}://${req.get('host')}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
}
