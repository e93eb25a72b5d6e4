import { attempt } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import type { StreamId } from '../streams/stream-id.js';

/**
 * Guests who are told ask the director at once, and a server that is asked by more than it can answer refuses them for
 * seconds. So at most so many are told who have not asked yet: some hundred a second also over slow networks.
 */
const ASKING = 200;
const TURN_MS = 10;
/** Clients ask as soon as they are told. One that does not holds up the others no longer than this. */
const ASKS_WITHIN_MS = 500;

export interface StartQueueOptions<Guest> {
  readonly tell: (guest: Guest) => void;
  /** Whether the server has room for guests who ask. Without room some are told all the same, now and then. */
  readonly hasRoom: () => boolean;
  /** The monotonic clock, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * The guests who are to be told that their stream is live, as fast as the server can answer those who then ask. Streams
 * take turns, so that the crowd of one does not hold up the guests of another.
 */
export class StartQueue<Guest> {
  readonly #options: StartQueueOptions<Guest>;
  /** The stream whose turn is next comes first. */
  readonly #untold = new Map<StreamId, Set<Guest>>();
  /** Those who were told and have not asked, by when they were told. */
  readonly #asking = new Map<Guest, number>();
  #toldAt = 0;
  #turn: NodeJS.Timeout | undefined;

  constructor(options: StartQueueOptions<Guest>) {
    this.#options = options;
  }

  add(streamId: StreamId, guests: Iterable<Guest>): void {
    this.#untold.set(streamId, new Set([...(this.#untold.get(streamId) ?? []), ...guests]));
    if (!this.#turn) this.#tellSome();
  }

  /** Call when a guest is gone, or has asked. */
  remove(streamId: StreamId, guest: Guest): void {
    this.#asking.delete(guest);
    this.#untold.get(streamId)?.delete(guest);
  }

  #tellSome(): void {
    const now = this.#options.now?.() ?? performance.now();
    for (const [guest, toldAt] of this.#asking) {
      if (now - toldAt < ASKS_WITHIN_MS) break;
      this.#asking.delete(guest);
    }
    const mayTell = this.#options.hasRoom() || now - this.#toldAt >= ASKS_WITHIN_MS;
    for (const guest of mayTell ? this.#take(ASKING - this.#asking.size) : []) {
      this.#toldAt = now;
      this.#asking.set(guest, now);
      attempt('signalling', () => this.#options.tell(guest));
    }
    this.#turn = this.#untold.size > 0 ? after('signalling', TURN_MS, () => this.#tellSome()) : undefined;
  }

  #take(most: number): readonly Guest[] {
    const taken: Guest[] = [];
    // A stream that has had its turn is visited again after the others.
    for (const [streamId, guests] of this.#untold) {
      if (taken.length >= most) break;
      this.#untold.delete(streamId);
      const [guest] = guests;
      if (guest === undefined) continue;
      guests.delete(guest);
      taken.push(guest);
      this.#untold.set(streamId, guests);
    }
    return taken;
  }
}
