import { StreamError, type RefusalCode } from '../errors.js';

/** The request that needs a token. */
export interface TokenContext {
  readonly role: 'subscribe' | 'publish';
  readonly endpoint: string;
  readonly streamName: string;
  readonly accountId: string | undefined;
  /** `first`: there is no token yet. `expiring`: the current one expires soon. Otherwise: why the server refused it. */
  readonly reason: 'first' | 'expiring' | RefusalCode;
}

/**
 * Returns a token. An empty string means that there is none; the request is then sent without a token. After an error
 * the provider is called again, unless the error is a `StreamError` that is not `retryable`.
 */
export type TokenProvider = (context: TokenContext) => Promise<string>;

/** A provider that takes longer is called again. */
const TIMEOUT_MS = 30_000;

/** The pending calls. Two tags that need the same token at the same time share one call. */
const running = new WeakMap<TokenProvider, Map<string, Promise<string>>>();

/**
 * Calls the provider, or waits for a pending call for the same stream.
 *
 * @throws {StreamError} the error of the provider, or `token_unavailable`
 */
export function provideToken(provider: TokenProvider, context: TokenContext, timeoutMs = TIMEOUT_MS): Promise<string> {
  const key = JSON.stringify({ ...context, reason: undefined });
  const calls = running.get(provider) ?? new Map<string, Promise<string>>();
  running.set(provider, calls);
  const call = calls.get(key) ?? ask(provider, context, timeoutMs).finally(() => calls.delete(key));
  calls.set(key, call);
  return call;
}

async function ask(provider: TokenProvider, context: TokenContext, timeoutMs: number): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason)));
  try {
    const token: unknown = await Promise.race([provider(context), late]);
    if (typeof token === 'string') return token;
    throw new StreamError('token_unavailable', 'The token is not text');
  } catch (cause) {
    // The message of an error of the page may contain a secret, so it is not repeated.
    throw cause instanceof StreamError
      ? cause
      : new StreamError('token_unavailable', 'No token from the page', { retryable: true, cause });
  }
}
