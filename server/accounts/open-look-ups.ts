import { ApiError } from '../errors.js';
import { FairLimit } from '../fair-limit.js';

/** The connections of the database that these look-ups may take. The others stay for calls with a token or a secret. */
const AT_ONCE = 2;
/** They wait for a fraction of a second. */
const MOST_WAITING = 200;
/** A stranger proves no name, so that all of them have one turn. */
const EVERYBODY = '';
/** In seconds. */
const RETRY_AFTER = 2;

/** Look-ups in the database for names that anybody can make up. A flood of them leaves room for the calls of others. */
export class OpenLookUps {
  readonly #limit = new FairLimit({ atOnce: AT_ONCE, ofOne: AT_ONCE });

  /** `run` would throw. */
  get isFull(): boolean {
    return this.#limit.waiting >= MOST_WAITING;
  }

  /** @throws {ApiError} 503 `busy` @throws what `find` throws */
  async run<Found>(find: () => Promise<Found>): Promise<Found> {
    if (!this.isFull) return await this.#limit.run(EVERYBODY, find);
    throw new ApiError(503, 'busy', 'The server has more calls than it can answer; try again in a moment', {
      headers: { 'retry-after': String(RETRY_AFTER) },
    });
  }
}
