/** The part of a websocket that this needs. */
export interface Pingable {
  ping(): void;
  terminate(): void;
  on(event: 'pong' | 'close', listener: () => void): unknown;
}

export const PING_INTERVAL_MS = 15_000;

/**
 * Pings a socket for as long as it is open and cuts it when one ping goes unanswered, so that a client that
 * vanished without a word is noticed within two intervals.
 */
export function keepAlive(socket: Pingable): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  timer.unref();
  socket.on('pong', () => {
    answered = true;
  });
  socket.on('close', () => clearInterval(timer));
}
