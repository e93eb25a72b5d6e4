import { RejectedError } from '../errors.js';
import { provideToken, type TokenContext, type TokenProvider } from './token-provider.js';

/** Codes that refuse the token itself, and not the stream, the page or the address. */
const REPLACEABLE = /^token_(missing|unknown|disabled|expired)$/;

/** The token of one run. Replaces a token that expires or was refused. */
export class TokenSource {
  readonly #context: Omit<TokenContext, 'reason'>;
  readonly #provider: TokenProvider | undefined;
  readonly #now: () => number;
  #token: string | undefined;
  /** Why another token is needed. Undefined: the current one is used. */
  #reason: TokenContext['reason'] | undefined;
  /** Whether the server accepted this token, or the page gave it at the start. Only such a token is replaced. */
  #wasAccepted = true;
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

  /** The token for the next request. @throws {StreamError} see `provideToken` */
  async current(): Promise<string | undefined> {
    if (this.#reason !== undefined) await this.#replace(this.#reason);
    return this.#token;
  }

  /** Called when the server has accepted the token. */
  accepted(expiresInMs = Infinity): void {
    this.#wasAccepted = true;
    this.#expiresAt = this.#now() + expiresInMs;
  }

  /** Whether the server may accept a new token instead of the refused one. If so, `current` returns a new one. */
  canReplace(error: unknown): boolean {
    if (!this.#provider || !this.#wasAccepted || !(error instanceof RejectedError) || !REPLACEABLE.test(error.reason)) {
      return false;
    }
    this.#reason = error.reason;
    return true;
  }

  /**
   * Gets another token before this one expires, and calls `onRenewed`. If the page has no other token, the provider is
   * called again until the token has expired. After that, the refusal of the server ends the session.
   *
   * @param signal stops the renewal
   */
  renewBeforeExpiry(signal: AbortSignal, onRenewed: () => void, random: () => number = Math.random): void {
    const leftMs = this.#expiresAt - this.#now();
    if (!this.#provider || leftMs === Infinity || leftMs <= 0 || signal.aborted) return;
    const timer = setTimeout(
      async () => {
        const before = this.#token;
        // If the provider throws, the token stays.
        await this.#replace('expiring').catch(() => {});
        if (signal.aborted) return;
        if (this.#token !== before) onRenewed();
        else this.renewBeforeExpiry(signal, onRenewed, random);
      },
      renewInMs(leftMs, random),
    );
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  async #replace(reason: TokenContext['reason']): Promise<void> {
    if (!this.#provider) return;
    const before = this.#token;
    this.#token = await provideToken(this.#provider, { ...this.#context, reason });
    this.#reason = undefined;
    // If the provider returns the same token, it stays accepted, unless the server has refused it.
    if (this.#token !== before || reason !== 'expiring') this.#wasAccepted = false;
  }
}

/** The longest delay of a timer. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The wait before the next token is requested: until a fifth of the remaining time is left, at least ten seconds and at
 * most two minutes. The wait is random, because the tokens of all viewers often expire together.
 */
export function renewInMs(leftMs: number, random: () => number): number {
  const aheadMs = Math.min(Math.max(leftMs / 5, 10_000), 120_000, leftMs) * (0.5 + random() / 2);
  return Math.min(Math.max(leftMs - aheadMs, 1_000), LONGEST_TIMER_MS);
}
