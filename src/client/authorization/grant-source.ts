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

const PATIENCE_MS = 5_000;

/**
 * The grants of the sessions of one run. The director gives the first one. Each session leaves a resume token for the
 * next one.
 */
export class GrantSource {
  readonly role: 'subscribe' | 'publish';
  readonly #options: ConnectionOptions;
  readonly #tokens: TokenSource;
  readonly #format: RequestFormat = { isSimple: undefined };
  #identity: PublisherIdentity;
  #isFirst = true;
  /**
   * After a loss, the browser may call over a connection that it had kept to the server that hangs, and another call goes
   * to another server. So the first calls have less time.
   */
  #patience = 3;
  #resumeGrant: Grant | undefined;

  constructor(role: 'subscribe' | 'publish', options: ConnectionOptions, identity: PublisherIdentity = {}) {
    this.role = role;
    this.#options = options;
    const { endpoint, streamName, accountId, token, tokenProvider } = options;
    this.#tokens = new TokenSource({ role, endpoint, streamName, accountId }, token, tokenProvider);
    this.#identity = identity;
  }

  /** Proves to the director that this publisher had the source before the connection was lost. */
  get sessionKey(): string | undefined {
    return this.#identity.sessionKey;
  }

  /**
   * The URL for a websocket that is opened before its grant. Undefined after the first request: when many viewers
   * reconnect together, each opens only the websockets that it needs.
   */
  get preconnectUrl(): string | undefined {
    return this.#isFirst ? this.#socketUrl : undefined;
  }

  /** The URL for a websocket on which a viewer without a token waits. Undefined: the server is of another kind. */
  get awaitUrl(): string | undefined {
    return this.#format.isSimple ? this.#socketUrl : undefined;
  }

  get #socketUrl(): string | undefined {
    const [, origin] = /^http(s?:\/\/[^/]+)/i.exec(this.#options.endpoint) ?? [];
    return origin && `ws${origin}/ws/v2/${this.role === 'publish' ? 'pub' : 'sub'}`;
  }

  /**
   * Asks the director for a grant, with a new token where the last one is no longer valid.
   *
   * @param extra further fields of the body, called when the token is known
   * @throws {StreamError} see `requestGrant` and `provideToken`
   */
  async request(signal: AbortSignal, extra: () => Promise<object>): Promise<Grant> {
    this.#isFirst = false;
    // At most twice: a new token that is refused at once is not replaced.
    for (;;) {
      const token = await this.#tokens.current();
      const fields = { ...this.#identity, ...(await extra()) };
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.min(this.#patience++, 3) * PATIENCE_MS)]);
      try {
        const grant = await requestGrant(this.role, { ...this.#options, token }, limit, this.#format, fields);
        this.#patience = 1;
        this.#tokens.accepted(grant.tokenExpiresIn && grant.tokenExpiresIn * 1000);
        return grant;
      } catch (error) {
        if (signal.aborted || !this.#tokens.canReplace(error)) throw error;
      }
    }
  }

  /** The error of an ended session. It is retryable if the server may accept a new token. */
  asRetryable(error: unknown): unknown {
    if (!(error instanceof RejectedError) || !this.#tokens.canReplace(error)) return error;
    // The resume grant belongs to the old token.
    this.takeResumeGrant();
    return new RejectedError(error.reason, error.message, { retryable: true });
  }

  /** Gets another token before the current one expires, and calls `onMigrate` to start a session with it. */
  renewToken(signal: AbortSignal, onMigrate: () => void): void {
    this.#tokens.renewBeforeExpiry(signal, () => {
      this.takeResumeGrant();
      onMigrate();
    });
  }

  /** The resume grant of the last session; later calls return undefined. The server may refuse the grant. */
  takeResumeGrant(): Grant | undefined {
    const grant = this.#resumeGrant;
    this.#resumeGrant = undefined;
    return grant;
  }

  /** Stores the resume token and the session key of an answer to `view` or `publish` for the next session. */
  keepResumeGrant(grant: Grant, answer: Unread<CommandAnswer>): void {
    const jwt = text(answer, 'resumeToken');
    this.#resumeGrant = jwt === undefined ? undefined : { ...grant, jwt, view: undefined };
    this.#identity = { ...this.#identity, sessionKey: text(answer, 'sessionKey') ?? this.sessionKey };
  }
}
