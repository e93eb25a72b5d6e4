import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A client that does not take the answer is not waited for. */
const TAKEN_WITHIN_MS = 5_000;

/** Answers an upgrade with an error over HTTP, and closes the connection whether the client closes its end or not. */
export function refuseUpgrade(socket: Duplex, status: number, code: string, message: string): void {
  const body = JSON.stringify({ status: 'fail', data: { message, code } });
  const deadline = setTimeout(() => socket.destroy(), TAKEN_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
