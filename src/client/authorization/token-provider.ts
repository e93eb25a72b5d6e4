import { StreamError, type RefusalCode } from '../errors.js';

/** What a token is wanted for. */
export interface TokenContext {
  readonly role: 'subscribe' | 'publish';
  readonly endpoint: string;
  readonly streamName: string;
  readonly accountId: string | undefined;
  /** `first`: there is none yet. `expiring`: the present one will be no good soon. Else the service's no to it. */
  readonly reason: 'first' | 'expiring' | RefusalCode;
}

/**
 * Gets a token from wherever the page gets it. An empty one means that there is none: the service is then asked
 * without. What it throws is tried again, but a `StreamError` that is not `retryable`.
 */
export type TokenProvider = (context: TokenContext) => Promise<string>;

/** Longer than any answer takes; whatever comes later, the page is asked again. */
const PROVIDED_WITHIN_MS = 30_000;

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
