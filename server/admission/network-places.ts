/** The networks that fetch a recording for one viewing at the same time: those of IPv4 and IPv6, or a phone that moves. */
const MOST_AT_ONCE = 2;
/** A network that has fetched nothing for this time has left. Players fetch every few seconds. */
const LEFT_AFTER_MS = 60_000;
/** A network that lost its place does not come back for this time: two players would displace each other in turn. */
const FORGOTTEN_AFTER_MS = 600_000;
/** The networks of one viewing within that time. A person does not move as often. */
const MOST_KNOWN = 16;

interface KnownNetwork {
  /** The last fetch, or the moment when it lost its place. In milliseconds. */
  readonly on: number;
  readonly isDisplaced: boolean;
}

/**
 * The networks from which one viewing fetches its recording. An address of a recording can be passed on, and the viewing
 * would be watched by many: so a network that is new takes the place of the one that fetched longest ago.
 */
export class NetworkPlaces {
  /** Those with a place are in the order of their last fetch. */
  readonly #known = new Map<string, KnownNetwork>();

  /**
   * @param now in milliseconds, of a clock that does not go back
   * @returns whether the network has a place; false: others have displaced it
   */
  take(network: string, now: number): boolean {
    for (const [name, { on }] of this.#known) if (now - on >= FORGOTTEN_AFTER_MS) this.#known.delete(name);
    const own = this.#known.get(network);
    if (own ? own.isDisplaced : this.#known.size >= MOST_KNOWN) return false;
    this.#known.delete(network);
    const present = [...this.#known].filter(([, { on, isDisplaced }]) => !isDisplaced && now - on < LEFT_AFTER_MS);
    const [oldest] = present;
    if (present.length >= MOST_AT_ONCE && oldest) this.#known.set(oldest[0], { on: now, isDisplaced: true });
    this.#known.set(network, { on: now, isDisplaced: false });
    return true;
  }
}
