import {
  requestGrant,
  type ConnectionOptions,
  type RequestFormat,
  type Grant,
  type PublisherIdentity,
} from './director.js';
import { RejectedError } from '../errors.js';
import { text } from '../decode.js';
import { TokenSource } from './token-source.js';

/** How the sessions of one run get in: the first by asking the director, the next by what the last one left. */
export class GrantSource {
  readonly role: 'subscribe' | 'publish';
  readonly #access: ConnectionOptions;
  readonly #tokens: TokenSource;
  #isNew = true;
  #publishingAs: PublisherIdentity;
  #left: Grant | undefined;
  readonly #asking: RequestFormat = { isShort: undefined };

  constructor(role: 'subscribe' | 'publish', access: ConnectionOptions, publishingAs: PublisherIdentity = {}) {
    this.role = role;
    this.#access = access;
    const { endpoint, streamName, accountId, token, tokenProvider } = access;
    this.#tokens = new TokenSource({ role, endpoint, streamName, accountId }, token, tokenProvider);
    this.#publishingAs = publishingAs;
  }

  /** What takes a broadcaster's name back, by way of the director. */
  get sessionKey(): string | undefined {
    return this.#publishingAs.sessionKey;
  }

  /**
   * Where a websocket can be opened that is shown its grant later. Only for who comes for the first time: a crowd that
   * comes back asks as little as it can.
   */
  get preconnectUrl(): string | undefined {
    const origin = this.#isNew && /^https?:\/\/[^/]+/i.exec(this.#access.endpoint)?.[0];
    return origin ? `${origin.replace(/^http/i, 'ws')}/ws/v2/${this.role === 'publish' ? 'pub' : 'sub'}` : undefined;
  }

  /**
   * Asks the director.
   * @param also what goes along; asked for once the token is there
   * @throws {StreamError} see `authorize` and `provideToken`
   */
  async request(signal: AbortSignal, also: () => Promise<object>): Promise<Grant> {
    this.#isNew = false;
    // A second time at most: a new token that is refused at once is not replaced.
    for (;;) {
      const token = await this.#tokens.current();
      const more = { ...this.#publishingAs, ...(await also()) };
      signal.throwIfAborted();
      try {
        const grant = await requestGrant(this.role, { ...this.#access, token }, signal, this.#asking, more);
        this.#tokens.accepted(grant.tokenExpiresIn && grant.tokenExpiresIn * 1000);
        return grant;
      } catch (error) {
        if (signal.aborted || !this.#tokens.canReplace(error)) throw error;
      }
    }
  }

  /** Why a session ended. It is worth another try where another token may let it in. */
  asRetryable(error: unknown): unknown {
    if (!(error instanceof RejectedError) || !this.#tokens.canReplace(error)) return error;
    // The way back is that of the old token.
    this.takeResumeGrant();
    return new RejectedError(error.reason, error.message, { retryable: true });
  }

  /** Has a new session made by the next token before the present one runs out. */
  renewToken(signal: AbortSignal, onMigrate: () => void): void {
    this.#tokens.renewBeforeExpiry(signal, () => {
      this.takeResumeGrant();
      onMigrate();
    });
  }

  /** The way back in without the director, once. The service may refuse it. */
  takeResumeGrant(): Grant | undefined {
    const left = this.#left;
    this.#left = undefined;
    return left;
  }

  /** Keeps what the answer to `view` or `publish` holds for the next session. */
  keepResumeGrant(grant: Grant, answer: unknown): void {
    const jwt = text(answer, 'resumeToken');
    this.#left = jwt === undefined ? undefined : { ...grant, jwt, view: undefined };
    this.#publishingAs = { ...this.#publishingAs, sessionKey: text(answer, 'sessionKey') ?? this.sessionKey };
  }
}
