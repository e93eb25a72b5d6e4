import type { WebSocket } from 'ws';
import { FairPlaces } from '../addresses/fair-places.js';
import { contain } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import { errorFrame, parseFrame, type Command } from './frame.js';

/** The director usually answers within a second. */
const GRANT_WITHIN_MS = 10_000;
/** Enough for many viewers that start at once, and a limit for the memory that unknown clients can use. */
const MOST_WAITING = 2_000;

/** Serves the websocket of a grant. `frame` is the text that `command` was parsed from. */
export type RedeemGrant = (grant: string, command: Command, frame: string) => Promise<void>;

interface FirstCommands {
  /** Called once with the grant. Later frames are read when it is done. */
  readonly redeem: RedeemGrant;
  /** Has a viewer without a token wait; see `WaitingGuests`. Absent: publishers do not wait. */
  readonly await?: ((command: Command) => void) | undefined;
}

/**
 * Websockets that clients open while the director decides, to save the time of the handshake. The first command brings
 * the grant as `grant` in its data, or is `await`. Until then nothing is known about the client: when too many wait, the network that has
 * the most loses its oldest.
 */
export class UnauthenticatedSockets {
  readonly #waiting = new FairPlaces<WebSocket>(MOST_WAITING);

  /**
   * @param address of the client; empty: unknown
   */
  add(socket: WebSocket, address: string, first: FirstCommands): void {
    // Its client may not answer a close.
    this.#waiting.take(address, socket)?.terminate();
    const deadline = after('signalling', GRANT_WITHIN_MS, () => socket.close(1008, 'grant_missing')).unref();
    const remove = (): void => {
      clearTimeout(deadline);
      this.#waiting.release(socket);
    };
    socket.on('error', () => socket.terminate());
    socket.once('close', remove);
    socket.once(
      'message',
      contain(
        'signalling',
        (data) => {
          remove();
          socket.pause();
          return this.#readFirst(socket, data.toString(), first).finally(() => socket.resume());
        },
        { onFault: () => socket.terminate() },
      ),
    );
  }

  async #readFirst(socket: WebSocket, frame: string, first: FirstCommands): Promise<void> {
    const parsed = parseFrame(frame);
    if (parsed.ok && parsed.command.name === 'await' && first.await) return first.await(parsed.command);
    const grant = parsed.ok ? grantOf(parsed.command) : undefined;
    if (parsed.ok && grant !== undefined) return first.redeem(grant, parsed.command, frame);
    const transId = parsed.ok ? (parsed.command.transId ?? null) : parsed.transId;
    socket.send(errorFrame(transId, 'grant_missing', 'the first command here needs the grant, as "grant" in its data'));
    socket.close(1008, 'grant_missing');
  }
}

function grantOf({ data }: Command): string | undefined {
  const grant = typeof data === 'object' && data !== null && 'grant' in data ? data.grant : undefined;
  return typeof grant === 'string' ? grant : undefined;
}
