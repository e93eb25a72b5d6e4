import type { CommandAnswer } from '../../wire/websocket/server-message.js';
import { RejectedError } from '../errors.js';
import {
  requestGrant,
  type ConnectionOptions,
  type Grant,
  type PublisherIdentity,
  type RequestFormat,
} from './director.js';
import { text, type Unread } from '../unread.js';
import { TokenSource } from './token-source.js';

/**
 * The grants of the sessions of one run: from the director for the first session, and for each further one from the
 * resume token that the session before left.
 */
export class GrantSource {
  readonly role: 'subscribe' | 'publish';
  readonly #options: ConnectionOptions;
  readonly #tokens: TokenSource;
  readonly #format: RequestFormat = { isSimple: undefined };
  #identity: PublisherIdentity;
  #isFirst = true;
  #resumeGrant: Grant | undefined;

  constructor(role: 'subscribe' | 'publish', options: ConnectionOptions, identity: PublisherIdentity = {}) {
    this.role = role;
    this.#options = options;
    const { endpoint, streamName, accountId, token, tokenProvider } = options;
    this.#tokens = new TokenSource({ role, endpoint, streamName, accountId }, token, tokenProvider);
    this.#identity = identity;
  }

  /** Proves to the director that a publisher is the one who lost the connection. */
  get sessionKey(): string | undefined {
    return this.#identity.sessionKey;
  }

  /**
   * Where a websocket can be opened before its grant is there. Undefined after the first request: viewers who come back
   * together after a break open no more than they need.
   */
  get preconnectUrl(): string | undefined {
    const origin = this.#isFirst && /^http(s?:\/\/[^/]+)/i.exec(this.#options.endpoint)?.[1];
    return origin ? `ws${origin}/ws/v2/${this.role === 'publish' ? 'pub' : 'sub'}` : undefined;
  }

  /**
   * Asks the director for a grant, with a new token where the last one is no longer valid.
   *
   * @param extra further fields of the body, called once the token is there
   * @throws {StreamError} see `requestGrant` and `provideToken`
   */
  async request(signal: AbortSignal, extra: () => Promise<object>): Promise<Grant> {
    this.#isFirst = false;
    // At most twice: a new token that is refused at once is not replaced.
    for (;;) {
      const token = await this.#tokens.current();
      const fields = { ...this.#identity, ...(await extra()) };
      signal.throwIfAborted();
      try {
        const grant = await requestGrant(this.role, { ...this.#options, token }, signal, this.#format, fields);
        this.#tokens.accepted(grant.tokenExpiresIn && grant.tokenExpiresIn * 1000);
        return grant;
      } catch (error) {
        if (signal.aborted || !this.#tokens.canReplace(error)) throw error;
      }
    }
  }

  /** The error that a session ended with; retryable where a new token may be accepted. */
  asRetryable(error: unknown): unknown {
    if (!(error instanceof RejectedError) || !this.#tokens.canReplace(error)) return error;
    // The resume grant belongs to the old token.
    this.takeResumeGrant();
    return new RejectedError(error.reason, error.message, { retryable: true });
  }

  /** Gets the next token before the present one expires, and calls `onMigrate` for a session that uses it. */
  renewToken(signal: AbortSignal, onMigrate: () => void): void {
    this.#tokens.renewBeforeExpiry(signal, () => {
      this.takeResumeGrant();
      onMigrate();
    });
  }

  /** The grant that the last session left, once. The server may refuse it. */
  takeResumeGrant(): Grant | undefined {
    const grant = this.#resumeGrant;
    this.#resumeGrant = undefined;
    return grant;
  }

  /** Keeps for the next session what the answer to `view` or `publish` holds. */
  keepResumeGrant(grant: Grant, answer: Unread<CommandAnswer>): void {
    const jwt = text(answer, 'resumeToken');
    this.#resumeGrant = jwt === undefined ? undefined : { ...grant, jwt, view: undefined };
    this.#identity = { ...this.#identity, sessionKey: text(answer, 'sessionKey') ?? this.sessionKey };
  }
}
