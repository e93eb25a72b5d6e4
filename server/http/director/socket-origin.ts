import type { IncomingMessage } from 'node:http';

/** Where the caller finds our websockets: at the public address, or else where he found us. */
export function socketOrigin(req: IncomingMessage, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl.replace(/^http/, 'ws').replace(/\/+$/, '');
  return `${'encrypted' in req.socket ? 'wss' : 'ws'}://${req.headers.host ?? 'localhost'}`;
}
