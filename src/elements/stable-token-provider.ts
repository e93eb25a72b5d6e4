import { provideToken, type TokenProvider } from '../client/authorization/token-provider.js';

/**
 * Returns the same provider for the whole life of a tag. It calls the current one of the page. Frameworks create a new
 * function at every render, and that must not restart the tag. Undefined while the page has no provider.
 */
export function stableTokenProvider(current: () => TokenProvider | undefined): () => TokenProvider | undefined {
  const stable: TokenProvider = async (context) => {
    const provider = current();
    return provider ? provideToken(provider, context) : '';
  };
  return () => (current() ? stable : undefined);
}
