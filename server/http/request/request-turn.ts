import type { IncomingMessage } from 'node:http';
import type { ServerLoad } from '../../sessions/server-load.js';
import type { ClientAddress } from './client-address.js';
import { MAX_BODY_BYTES } from './json-body.js';

/**
 * Waits for the turn of a request's network. Call it when the body is there, before the work.
 * @returns undefined, without a wait, while the server is in time
 * @throws {ApiError} 503 `busy`
 */
export type RequestTurn = (req: IncomingMessage) => Promise<void> | undefined;

export function requestTurn(load: Pick<ServerLoad, 'isInTime' | 'turn'>, clientAddress: ClientAddress): RequestTurn {
  return (req) => {
    if (load.isInTime()) return undefined;
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = req.headers;
    return load.turn({
      bytes: encoding === undefined ? Number(length) : MAX_BODY_BYTES,
      address: () => clientAddress(req),
      isGone: () => req.socket.destroyed,
    });
  };
}
