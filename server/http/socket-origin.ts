import type { Request } from 'express';

/** Where the caller finds our websockets: at the public address, or else where he found us. */
export function socketOrigin(req: Request, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl.replace(/^http/, 'ws').replace(/\/+$/, '');
  return `${req.secure ? 'wss' : 'ws'}://${req.headers.host ?? 'localhost'}`;
}
