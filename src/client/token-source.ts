import { RejectedError, StreamError, type RefusalReason } from './errors.js';

/** What a token is wanted for. */
export interface TokenContext {
  readonly role: 'subscribe' | 'publish';
  readonly endpoint: string;
  readonly streamName: string;
  readonly accountId: string | undefined;
  /** `first`: there is none yet. `expiring`: the present one will be no good soon. Else the service's no to it. */
  readonly reason: 'first' | 'expiring' | RefusalReason;
}

/**
 * Gets a token from wherever the page gets it. An empty one means that there is none: the service is then asked
 * without. What it throws is tried again, but a `StreamError` that is not `retryable`.
 */
export type TokenProvider = (context: TokenContext) => Promise<string>;

/** Longer than any answer takes; whatever comes later, the page is asked again. */
const PROVIDED_WITHIN_MS = 30_000;

/** With these the service says no to the token, and not to the stream, the page or the place. */
const CURABLE: ReadonlySet<RefusalReason> = new Set([
  'token_missing',
  'token_unknown',
  'token_disabled',
  'token_expired',
]);

/** Calls under way: two tags that want the same token at once are given the same. */
const underWay = new WeakMap<TokenProvider, Map<string, Promise<string>>>();

/**
 * Asks once for all who wait.
 *
 * @throws {StreamError} what the provider threw, or `token_unavailable`
 */
export function provideToken(
  provider: TokenProvider,
  context: TokenContext,
  withinMs = PROVIDED_WITHIN_MS,
): Promise<string> {
  const { role, endpoint, streamName, accountId } = context;
  const key = JSON.stringify([role, endpoint, streamName, accountId]);
  const calls = underWay.get(provider) ?? new Map<string, Promise<string>>();
  underWay.set(provider, calls);
  const call = calls.get(key) ?? ask(provider, context, withinMs).finally(() => calls.delete(key));
  calls.set(key, call);
  return call;
}

async function ask(provider: TokenProvider, context: TokenContext, withinMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No token came in time')), withinMs);
  });
  try {
    const token: unknown = await Promise.race([provider(context), late]);
    if (typeof token === 'string') return token;
    throw new StreamError('token_unavailable', 'What the page gave for a token is none');
  } catch (cause) {
    // Of what the page threw nothing is shown: it may hold what nobody is to read.
    throw cause instanceof StreamError
      ? cause
      : new StreamError('token_unavailable', 'The page could not get a token', { retryable: true, cause });
  } finally {
    clearTimeout(timer);
  }
}

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
  keepFresh(signal: AbortSignal, onFresh: () => void, random: () => number = Math.random): void {
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
        else this.keepFresh(signal, onFresh, random);
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
