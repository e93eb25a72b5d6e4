import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { contain } from './faults/contain.js';

/** Browsers and proxies wait for an answer before they send the next request. A few programs do not. */
const MOST_UNANSWERED = 4;

/**
 * Closes connections that send more requests than this before the first is answered. Node.js hands on all requests of a
 * packet at once: 64 kB are 1,500 requests, which take 12 MB until somebody reads their answers.
 */
export function limitPipelines(app: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // The rest of a packet comes here too.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once(
      'close',
      contain('http', () => unanswered.set(socket, unanswered.get(socket)! - 1)),
    );
    app(request, response);
  };
}
