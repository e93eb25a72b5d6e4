import type { WebSocket } from 'ws';
import { parseFrame, errorFrame, type Command } from './frame.js';

/** A director's answer takes a moment, not this long. */
const GRANT_WITHIN_MS = 10_000;
/** Each waits for a moment: enough for a crowd, and nothing that costs the others their memory. */
const MOST_WAITING = 2_000;

/** Serves the socket of a grant. `frame` is the one that `command` came in. */
export type RedeemGrant = (grant: string, command: Command, frame: string) => Promise<void>;

/**
 * Websockets that were opened while their grant was still being asked for, which saves the time of a handshake. They
 * show it with their first command, as `grant` in its data, and until then they are nobody.
 */
export class UnauthenticatedSockets {
  readonly #waiting = new Set<WebSocket>();
  readonly #onFault: (error: unknown) => void;

  /** @param onFault hears of a socket that could not be served, and was cut. Must not throw */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get isFull(): boolean {
    return this.#waiting.size >= MOST_WAITING;
  }

  /** @param show is given the grant, once. What the client says next waits until it is done */
  add(socket: WebSocket, show: RedeemGrant): void {
    this.#waiting.add(socket);
    const deadline = setTimeout(() => socket.close(1008, 'grant_missing'), GRANT_WITHIN_MS).unref();
    const done = (): void => {
      clearTimeout(deadline);
      this.#waiting.delete(socket);
    };
    socket.on('error', () => socket.terminate());
    socket.once('close', done);
    socket.once('message', (data) => {
      done();
      socket.pause();
      this.#read(socket, data.toString(), show)
        .catch((error: unknown) => {
          this.#onFault(error);
          socket.terminate();
        })
        .finally(() => socket.resume());
    });
  }

  async #read(socket: WebSocket, frame: string, show: RedeemGrant): Promise<void> {
    const reading = parseFrame(frame);
    const grant = reading.ok ? grantOf(reading.command) : undefined;
    if (reading.ok && grant !== undefined) return show(grant, reading.command, frame);
    const transId = reading.ok ? (reading.command.transId ?? null) : reading.transId;
    socket.send(errorFrame(transId, 'grant_missing', 'the first command here shows the grant, as "grant" in its data'));
    socket.close(1008, 'grant_missing');
  }
}

function grantOf({ data }: Command): string | undefined {
  const grant = typeof data === 'object' && data !== null && 'grant' in data ? data.grant : undefined;
  return typeof grant === 'string' ? grant : undefined;
}
