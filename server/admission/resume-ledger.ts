import { sharingNetwork } from '../addresses/fair-places.js';

/** A resume token that is to be spent. */
export interface SpentToken {
  /** The first of the sessions that resume one another. */
  readonly chain: string;
  /** The place of the token in its chain. Each session leaves the next one. */
  readonly turn: number;
  /** Of the client when the token was issued, in canonical form. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface ResumeLedgerOptions {
  /** The lifetime of every token, in ms. */
  readonly lifetimeMs: number;
  /** The most chains of one network that are remembered. */
  readonly mostOfNetwork?: number;
  /** The most chains and networks that are remembered, in each lifetime of a token. */
  readonly most?: number;
}

/** Of about 100 bytes each. More people of a provider rarely lose their connection in four hours. */
const MOST_OF_NETWORK = 2_000;
const MOST = 50_000;

/** What is remembered of the tokens that were issued in a network. */
interface NetworkMarks {
  /** The last turn that was spent, by chain. All turns before it count as spent. */
  readonly turns: Map<string, number>;
  /** Tokens that expire until then are refused, spent or not. */
  refusedUntil: number;
}

interface Marks {
  readonly networks: Map<string, NetworkMarks>;
  /** Chains and networks. */
  size: number;
  /** As of a network, for all of them. */
  readonly refusedUntil: number;
}

const noMarks = (refusedUntil = 0): Marks => ({ networks: new Map(), size: 0, refusedUntil });

/**
 * Remembers spent resume tokens until they expire. A client that reconnects in a loop takes one place, because a spent
 * token spends all before it in its chain. When there is no place left, nothing can be spent twice: all tokens that were
 * issued so far are refused instead, of the network with too many, or of all networks. Their clients ask the director.
 */
export class ResumeLedger {
  readonly #lifetimeMs: number;
  readonly #mostOfNetwork: number;
  readonly #most: number;
  /** What was spent in the present period. Periods are as long as the lifetime of a token. */
  #current = noMarks();
  /** What was spent in the period before. What was spent earlier has expired. */
  #before = noMarks();
  #periodEndsAt = -Infinity;

  constructor({ lifetimeMs, mostOfNetwork = MOST_OF_NETWORK, most = MOST }: ResumeLedgerOptions) {
    this.#lifetimeMs = lifetimeMs;
    this.#mostOfNetwork = mostOfNetwork;
    this.#most = most;
  }

  /** Spends a token that has not expired. False if it may have been spent before. @param now milliseconds since 1970 */
  spend(token: SpentToken, now: number): boolean {
    this.#forgetExpired(now);
    const network = sharingNetwork(token.address);
    if ([this.#current, this.#before].some((marks) => mayBeSpent(marks, network, token))) return false;
    this.#mark(network, token, now + this.#lifetimeMs);
    return true;
  }

  /** The chains and networks that are remembered. */
  get size(): number {
    return this.#current.size + this.#before.size;
  }

  #forgetExpired(now: number): void {
    if (now < this.#periodEndsAt) return;
    this.#before = now < this.#periodEndsAt + this.#lifetimeMs ? this.#current : noMarks();
    this.#current = noMarks();
    this.#periodEndsAt = now + this.#lifetimeMs;
  }

  /** @param allExpireBy when the last token that was issued so far expires */
  #mark(network: string, { chain, turn }: SpentToken, allExpireBy: number): void {
    const marks = this.#current;
    let ofNetwork = marks.networks.get(network);
    if (!ofNetwork) {
      ofNetwork = { turns: new Map(), refusedUntil: 0 };
      marks.networks.set(network, ofNetwork);
      marks.size += 1;
    }
    const { turns } = ofNetwork;
    if (!turns.has(chain)) marks.size += 1;
    turns.set(chain, turn);
    if (turns.size > this.#mostOfNetwork) {
      marks.size -= turns.size;
      turns.clear();
      ofNetwork.refusedUntil = allExpireBy;
    }
    if (marks.size > this.#most) this.#current = noMarks(allExpireBy);
  }
}

function mayBeSpent({ networks, refusedUntil }: Marks, network: string, token: SpentToken): boolean {
  const { chain, turn, expiresAt } = token;
  const marks = networks.get(network);
  const spentTurn = marks?.turns.get(chain) ?? -1;
  return turn <= spentTurn || expiresAt <= Math.max(refusedUntil, marks?.refusedUntil ?? 0);
}
