import { every } from '../faults/timers.js';

/** The part of a websocket that the heartbeat uses. */
export interface Pingable {
  ping(): void;
  terminate(): void;
  on(event: 'message' | 'pong' | 'close', listener: () => void): unknown;
}

export const CHECK_INTERVAL_MS = 10_000;

/**
 * Pings a websocket that has been silent for an interval, and terminates it when it is still silent after the next. A
 * client that disappears without closing is noticed within three intervals. Every message counts: a viewer that reports
 * what it sees is hardly ever pinged, because a ping and its answer cost as much as a report.
 */
export function keepAlive(socket: Pingable, intervalMs = CHECK_INTERVAL_MS): void {
  let state: 'heard' | 'silent' | 'pinged' = 'silent';
  const timer = every('signalling', intervalMs, () => {
    switch (state) {
      case 'heard':
        state = 'silent';
        return;
      case 'silent':
        state = 'pinged';
        socket.ping();
        return;
      case 'pinged':
        socket.terminate();
    }
  });
  timer.unref();
  const heard = (): void => {
    state = 'heard';
  };
  socket.on('message', heard);
  socket.on('pong', heard);
  socket.on('close', () => clearInterval(timer));
}
