import { RejectedError, type RefusalCode } from '../errors.js';
import { provideToken, type TokenContext, type TokenProvider } from './token-provider.js';

/** With these the service says no to the token, and not to the stream, the page or the place. */
const CURABLE: ReadonlySet<RefusalCode> = new Set([
  'token_missing',
  'token_unknown',
  'token_disabled',
  'token_expired',
]);

/** The token of one run, and the next one when it is no good any more. */
export class TokenSource {
  readonly #context: Omit<TokenContext, 'reason'>;
  readonly #provider: TokenProvider | undefined;
  readonly #now: () => number;
  #token: string | undefined;
  /** Why the next one is wanted. Undefined: the present one is to be used. */
  #reason: TokenContext['reason'] | undefined;
  /** Whether a no to it means that it is old: a new one that is refused at once says what the next would, too. */
  #wasGood = true;
  #expiresAt = Infinity;

  constructor(
    context: Omit<TokenContext, 'reason'>,
    token: string | undefined,
    provider: TokenProvider | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#context = context;
    this.#provider = provider;
    this.#now = now;
    this.#token = token;
    this.#reason = token ? undefined : 'first';
  }

  /** The token to ask with. @throws {StreamError} see `provideToken` */
  async current(): Promise<string | undefined> {
    if (this.#reason !== undefined) await this.#replace(this.#reason);
    return this.#token;
  }

  /** The service took it. */
  accepted(expiresInMs = Infinity): void {
    this.#wasGood = true;
    this.#expiresAt = this.#now() + expiresInMs;
  }

  /** Whether a new token may turn this no into a yes. The next `current` is then a new one. */
  canReplace(error: unknown): boolean {
    if (!this.#provider || !this.#wasGood || !(error instanceof RejectedError) || !CURABLE.has(error.reason)) {
      return false;
    }
    this.#reason = error.reason;
    return true;
  }

  /**
   * Has another token in hand some time before this one runs out, and says so.
   * Where none can be had it tries again, until it is too late; the service's no then does the rest.
   *
   * @param signal stops it
   */
  renewBeforeExpiry(signal: AbortSignal, onFresh: () => void, random: () => number = Math.random): void {
    const leftMs = this.#expiresAt - this.#now();
    if (!this.#provider || leftMs === Infinity || leftMs <= 0 || signal.aborted) return;
    const stop = new AbortController();
    const timer = setTimeout(
      async () => {
        stop.abort();
        const before = this.#token;
        const isFresh = await this.#replace('expiring').then(
          () => this.#token !== before,
          () => false,
        );
        if (signal.aborted) return;
        if (isFresh) onFresh();
        else this.renewBeforeExpiry(signal, onFresh, random);
      },
      renewInMs(leftMs, random),
    );
    signal.addEventListener('abort', () => clearTimeout(timer), { signal: stop.signal });
  }

  async #replace(reason: TokenContext['reason']): Promise<void> {
    if (!this.#provider) return;
    const before = this.#token;
    this.#token = await provideToken(this.#provider, { ...this.#context, reason });
    this.#reason = undefined;
    // The same again is as good as it was, while nobody said no to it.
    if (this.#token !== before || reason !== 'expiring') this.#wasGood = false;
  }
}

/** A timer cannot be set for longer. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * How long to wait before asking for the next token: until a fifth of the time is left, but ten seconds at least and
 * two minutes at most; and not all viewers of a stream at once, whose tokens often end together.
 */
export function renewInMs(leftMs: number, random: () => number): number {
  const aheadMs = Math.min(Math.max(leftMs / 5, 10_000), 120_000, leftMs) * (0.5 + random() / 2);
  return Math.min(Math.max(leftMs - aheadMs, 1_000), LONGEST_TIMER_MS);
}
