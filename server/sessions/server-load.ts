import { sharingNetwork } from '../addresses/fair-places.js';
import { ApiError } from '../errors.js';
import { contain } from '../faults/contain.js';
import { FairTurns } from './fair-turns.js';

/** When to try again, in seconds. */
const RETRY_SECONDS = 10;
/** The cost of a call without a body is 1, and each KiB of a body costs as much again. */
const COST_BYTES = 1_024;

/** A call that makes work for the server process. */
export interface CostlyCall {
  /** How much was sent. */
  readonly bytes: number;
  /** The canonical address of the caller. */
  address(): string;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
}

/**
 * Shares the time of the server process among the networks that call it, so that a flood from some does not delay
 * everybody. Media has processes of its own.
 */
export class ServerLoad {
  readonly #turns: FairTurns;

  /** @param now the monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#turns = new FairTurns({
      now,
      afterWork: (callback) => {
        const contained = contain('sessions', callback);
        // What continues after a promise runs before the next tick.
        const whenDone = contain('sessions', () => process.nextTick(contained));
        return () => queueMicrotask(whenDone);
      },
      afterIo: (callback) => {
        const contained = contain('sessions', callback);
        return () => void setImmediate(contained);
      },
    });
  }

  /** Whether work begins without a wait. Call it before the work: a turn is not needed then, and costs more to ask for. */
  isInTime(): boolean {
    return this.#turns.isInTime();
  }

  /** The cost of all calls that wait. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Call it before the work that a call makes.
   * @returns undefined, without a wait, while the server is in time
   * @throws {ApiError} 503 `busy`
   */
  turn({ bytes, address, isGone }: CostlyCall): Promise<void> | undefined {
    const turn = this.#turns.take(() => sharingNetwork(address()), 1 + bytes / COST_BYTES);
    return turn === true ? undefined : wait(turn, isGone);
  }
}

async function wait(turn: false | Promise<boolean>, isGone: () => boolean): Promise<void> {
  if (!(await turn) || isGone()) throw busy();
}

const busy = (): ApiError =>
  new ApiError(503, 'busy', 'The server has more calls than it can answer; try again in a moment', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
