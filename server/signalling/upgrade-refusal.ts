import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../errors.js';

/** How long a client may take to read the answer. */
const READ_WITHIN_MS = 5_000;

/** The messages for a grant that does not open a websocket. */
export const GRANT_REFUSALS = {
  grant_invalid: 'ask the director again: this grant is not from this server, or not for this kind of websocket',
  grant_expired: 'ask the director again: this grant is too old',
  grant_spent: 'a grant opens one websocket; ask the director for another grant',
  wrong_node: 'ask the director again: this grant is for another server',
} as const;

/** Answers an upgrade with an HTTP error and closes the connection, even if the client keeps its end open. */
export function refuseUpgrade(socket: Duplex, refusal: ApiError, requestId: string): void {
  const { status } = refusal;
  const body = JSON.stringify(refusal.toBody(requestId));
  const headers = { ...refusal.headers, 'X-Request-Id': requestId };
  const deadline = setTimeout(() => socket.destroy(), READ_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.once('finish', () => socket.destroy());
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${more.join('')}\r\n${body}`,
  );
}
