import { provideToken, type TokenProvider } from '../client/authorization/token-provider.js';

/**
 * One provider for the whole life of a tag, which asks the page's present one: another function is no reason to begin
 * anew, and frameworks make one at every render. Undefined while there is none.
 */
export function stableTokenProvider(current: () => TokenProvider | undefined): () => TokenProvider | undefined {
  const stable: TokenProvider = async (context) => {
    const provider = current();
    return provider ? provideToken(provider, context) : '';
  };
  return () => (current() ? stable : undefined);
}
