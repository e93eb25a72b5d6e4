import type { TokenSource } from './admission/admission.js';
import type { CompiledToken } from './rules/access-request.js';
import { CredentialReader } from './tokens/credential-reader.js';
import { credentialRefresh } from './tokens/credential-refresh.js';
import type { TokenDirectory } from './tokens/token-directory.js';
import type { TokenFollower } from './tokens/token-follower.js';
import type { TokenService } from './tokens/token-service.js';

export interface TokenLookupDependencies {
  readonly directory: TokenDirectory;
  readonly follower: TokenFollower;
  readonly tokens: Pick<TokenService, 'bindAddress'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The tokens of a running server, for admission: in memory, and read again from the database if they may be stale. */
export class TokenLookup implements TokenSource {
  readonly #dependencies: TokenLookupDependencies;
  readonly #credentials: CredentialReader;
  readonly refreshIfStale: (value: string) => Promise<void> | undefined;

  constructor(dependencies: TokenLookupDependencies) {
    const { directory, follower, now } = dependencies;
    this.#dependencies = dependencies;
    this.#credentials = new CredentialReader(directory);
    this.refreshIfStale = credentialRefresh({ credentials: this.#credentials, follower, now });
  }

  findByValue(value: string): CompiledToken | undefined {
    return this.#credentials.read(value, this.#dependencies.now());
  }

  findById(id: number): CompiledToken | undefined {
    return this.#dependencies.directory.findById(id);
  }

  bindAddress(tokenId: number, address: string): Promise<'bound' | 'already_bound' | 'full'> {
    return this.#dependencies.tokens.bindAddress(tokenId, address);
  }

  refreshTokenIfStale(id: number): Promise<void> | undefined {
    return this.#dependencies.follower.refreshTokenIfStale(id);
  }
}
