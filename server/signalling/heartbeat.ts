/** The part of a websocket that the heartbeat uses. */
export interface Pingable {
  ping(): void;
  terminate(): void;
  on(event: 'pong' | 'close', listener: () => void): unknown;
}

export const PING_INTERVAL_MS = 15_000;

/**
 * Pings a websocket while it is open, and terminates it when the next ping is due and the last one has no answer. A
 * client that disappears without closing is noticed within two intervals.
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
