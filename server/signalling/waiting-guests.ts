import { awaitRequest, type AwaitRequest } from '../../src/wire/websocket/await-request.js';
import { FairPlaces } from '../addresses/fair-places.js';
import { attempt, contain } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import { declaredEnd } from '../streams/stream-event-factory.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import { parseCommandData } from './command-data.js';
import { CommandRateLimit } from './command-rate-limit.js';
import { errorFrame, eventFrame, parseFrame, responseFrame, SignallingError, type Command } from './frame.js';
import { keepAlive, type Pingable } from './heartbeat.js';
import { StartQueue } from './start-queue.js';

/** A crowd that is closed one by one would learn of the start later. */
const CLOSE_WITHIN_MS = 5_000;
/** Clients ask for a sign of life twice a minute. Those that browsers slow down are pinged, before proxies close them. */
const HEARD_WITHIN_MS = 25_000;
/** Then guests ask the director in any case: somewhat more than so late, in steps, so that they do not ask together. */
const ASK_AGAIN_MS = 600_000;
const ASK_AGAIN_STEP_MS = 10_000;
const ASK_AGAIN_STEPS = 30;

/** The part of a websocket that a guest waits on. */
export interface WaitingSocket extends Pingable {
  readonly readyState: number;
  readonly OPEN: number;
  send(frame: string): void;
  close(code: number, reason?: string): void;
  on(event: 'message' | 'pong' | 'close', listener: (data: { toString(): string }) => void): unknown;
}

export interface WaitingGuestsOptions {
  /** What guests may know of a stream; see `Admission.shownToGuests`. */
  readonly shownToGuests: (
    accountId: string,
    streamName: string,
  ) => { readonly live: boolean; readonly requiresToken: boolean; readonly endedOn?: number | undefined };
  readonly streams: {
    /** The publishers of a stream, or what other servers say of it, changed. */
    on(event: 'publishers-changed', listener: (streamId: StreamId) => void): unknown;
    on(event: 'news', listener: (news: { readonly name: string; readonly streamId: StreamId }) => void): unknown;
    /** The publishers of a stream, on any server. */
    stateOf(streamId: StreamId): { readonly publishers: readonly object[] };
  };
  /** A token changed, which may be the reason why guests may not know of a stream. */
  readonly tokens: { on(event: 'changed', listener: () => void): unknown };
  /** Whether the server has room for guests who ask. Without room some are told all the same, now and then. */
  readonly hasRoom: () => boolean;
  /** How many may wait. Each takes some 10 kB and a file descriptor. */
  readonly mostWaiting: number;
  readonly random?: () => number;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

interface Guest {
  readonly socket: WaitingSocket;
  readonly streamId: StreamId;
  readonly transId: number | null;
  /** It was told that the broadcast is over. */
  knowsEnd?: true;
}

/**
 * The viewers without a token who came before their stream is live. They wait on a websocket that costs nearly nothing,
 * and all are told when they may watch, as fast as the server can answer them. Then they ask the director, which decides.
 *
 * A stream that requires a token and one that does not exist are the same here: guests of both are told nothing.
 */
export class WaitingGuests {
  readonly #options: WaitingGuestsOptions;
  readonly #places: FairPlaces<WaitingSocket>;
  readonly #byStream = new Map<StreamId, { readonly request: AwaitRequest; readonly guests: Set<Guest> }>();
  /** Streams that guests wait for and that somebody publishes: a changed token may open them. */
  readonly #published = new Set<StreamId>();
  readonly #starts: StartQueue<Guest>;
  #displaced = 0;

  constructor(options: WaitingGuestsOptions) {
    this.#options = options;
    this.#places = new FairPlaces(options.mostWaiting);
    const { streams, tokens, hasRoom, now } = options;
    this.#starts = new StartQueue({ tell: (guest) => this.#tellStart(guest), hasRoom, now });
    streams.on(
      'publishers-changed',
      contain('signalling', (streamId) => this.#look(streamId)),
    );
    streams.on(
      'news',
      contain('signalling', ({ name, streamId }) => name === 'started' && this.#look(streamId)),
    );
    tokens.on(
      'changed',
      contain('signalling', () => [...this.#published].forEach((streamId) => this.#look(streamId))),
    );
  }

  /** How many wait. */
  get size(): number {
    return this.#places.size;
  }

  /** How many lost their place to others, because too many wait. */
  get displaced(): number {
    return this.#displaced;
  }

  /** @param command `await`, which was read from `socket`. @param address of the client; empty: unknown */
  add(socket: WaitingSocket, address: string, command: Command): void {
    const transId = command.transId ?? null;
    let request: AwaitRequest;
    try {
      request = parseCommandData(awaitRequest, command);
    } catch (error) {
      if (!(error instanceof SignallingError)) throw error;
      socket.send(errorFrame(transId, error.code, error.message));
      return socket.close(1008, 'invalid_command');
    }
    const streamId = streamIdOf(request.streamAccountId, request.streamName);
    const guest: Guest = { socket, streamId, transId };
    const waiting = this.#byStream.get(streamId) ?? { request, guests: new Set() };
    this.#byStream.set(streamId, waiting);
    waiting.guests.add(guest);
    this.#endLoser(this.#places.take(address, socket));
    const random = Math.floor((this.#options.random ?? Math.random)() * ASK_AGAIN_STEPS);
    const timer = after('signalling', ASK_AGAIN_MS + random * ASK_AGAIN_STEP_MS, () => {
      this.#tell(guest, false);
      socket.close(1000);
    }).unref();
    socket.on(
      'close',
      contain('signalling', () => {
        clearTimeout(timer);
        this.#remove(guest);
      }),
    );
    keepAlive(socket, HEARD_WITHIN_MS);
    this.#answerPings(socket);
    this.#look(streamId);
  }

  /** Looks whether guests may know now that the stream is live, and tells those who wait for it. */
  #look(streamId: StreamId): void {
    const waiting = this.#byStream.get(streamId);
    if (!waiting) return;
    const { shownToGuests, streams } = this.#options;
    const { streamAccountId, streamName } = waiting.request;
    const { live, requiresToken, endedOn } = shownToGuests(streamAccountId, streamName);
    if (!live || requiresToken) {
      if (endedOn !== undefined) this.#tellEnd(streamId, waiting.guests, endedOn);
      if (streams.stateOf(streamId).publishers.length > 0) this.#published.add(streamId);
      else this.#published.delete(streamId);
      return;
    }
    this.#forget(streamId);
    this.#starts.add(streamId, waiting.guests);
  }

  #tellStart(guest: Guest): void {
    this.#tell(guest, true);
    after('signalling', CLOSE_WITHIN_MS, () => guest.socket.close(1000)).unref();
  }

  /** @param live false: nobody knows, and the client asks the director to be safe */
  #tell({ socket, transId }: Guest, live: boolean): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(responseFrame(transId, { live }));
  }

  #tellEnd(streamId: StreamId, guests: ReadonlySet<Guest>, endedOn: number): void {
    const data = { streamId, sourceId: null, ...declaredEnd(endedOn) };
    for (const guest of guests) {
      if (guest.knowsEnd) continue;
      guest.knowsEnd = true;
      // The only event on this websocket.
      attempt('signalling', () => guest.socket.send(eventFrame('inactive', 0, data)));
    }
  }

  #remove(guest: Guest): void {
    this.#starts.remove(guest.streamId, guest);
    this.#places.release(guest.socket);
    const guests = this.#byStream.get(guest.streamId)?.guests;
    if (guests?.delete(guest) && guests.size === 0) this.#forget(guest.streamId);
  }

  #forget(streamId: StreamId): void {
    this.#byStream.delete(streamId);
    this.#published.delete(streamId);
  }

  /** Its client asks the director later, with a longer wait each time. */
  #endLoser(loser: WaitingSocket | undefined): void {
    if (!loser) return;
    this.#displaced += 1;
    loser.close(1013, 'busy');
  }

  #answerPings(socket: WaitingSocket): void {
    const rateLimit = new CommandRateLimit(performance.now());
    socket.on(
      'message',
      contain(
        'signalling',
        (data) => {
          const parsed = parseFrame(data.toString());
          const isPing = parsed.ok && parsed.command.name === 'ping';
          if (!isPing || rateLimit.take(performance.now()) !== 'granted') return socket.close(1008, 'invalid_command');
          socket.send(responseFrame(parsed.command.transId ?? null, {}));
        },
        { onFault: () => socket.terminate() },
      ),
    );
  }
}
