import { authorize, type Access, type Asking, type Granted, type PublishingAs } from './authorize.js';
import { RejectedError } from './errors.js';
import { text } from './reading.js';
import { TokenSource } from './token-source.js';

/** How the sessions of one run get in: the first by asking the director, the next by what the last one left. */
export class Admission {
  readonly role: 'subscribe' | 'publish';
  readonly #access: Access;
  readonly #tokens: TokenSource;
  #isNew = true;
  #publishingAs: PublishingAs;
  #left: Granted | undefined;
  readonly #asking: Asking = { isShort: undefined };

  constructor(role: 'subscribe' | 'publish', access: Access, publishingAs: PublishingAs = {}) {
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
  get earlyUrl(): string | undefined {
    const origin = this.#isNew && /^https?:\/\/[^/]+/i.exec(this.#access.endpoint)?.[0];
    return origin ? `${origin.replace(/^http/i, 'ws')}/ws/v2/${this.role === 'publish' ? 'pub' : 'sub'}` : undefined;
  }

  /**
   * Asks the director.
   * @param also what goes along; asked for once the token is there
   * @throws {StreamError} see `authorize` and `provideToken`
   */
  async ask(signal: AbortSignal, also: () => Promise<object>): Promise<Granted> {
    this.#isNew = false;
    // A second time at most: a new token that is refused at once is not replaced.
    for (;;) {
      const token = await this.#tokens.current();
      const more = { ...this.#publishingAs, ...(await also()) };
      signal.throwIfAborted();
      try {
        const grant = await authorize(this.role, { ...this.#access, token }, signal, this.#asking, more);
        this.#tokens.accepted(grant.tokenExpiresIn && grant.tokenExpiresIn * 1000);
        return grant;
      } catch (error) {
        if (signal.aborted || !this.#tokens.canReplace(error)) throw error;
      }
    }
  }

  /** Why a session ended. It is worth another try where another token may let it in. */
  verdict(error: unknown): unknown {
    if (!(error instanceof RejectedError) || !this.#tokens.canReplace(error)) return error;
    // The way back is that of the old token.
    this.takeBack();
    return new RejectedError(error.reason, error.message, { retryable: true });
  }

  /** Has a new session made by the next token before the present one runs out. */
  keepFresh(signal: AbortSignal, onMigrate: () => void): void {
    this.#tokens.keepFresh(signal, () => {
      this.takeBack();
      onMigrate();
    });
  }

  /** The way back in without the director, once. The service may refuse it. */
  takeBack(): Granted | undefined {
    const left = this.#left;
    this.#left = undefined;
    return left;
  }

  /** Keeps what the answer to `view` or `publish` holds for the next session. */
  keep(grant: Granted, answer: unknown): void {
    const jwt = text(answer, 'resumeToken');
    this.#left = jwt === undefined ? undefined : { ...grant, jwt, view: undefined };
    this.#publishingAs = { ...this.#publishingAs, sessionKey: text(answer, 'sessionKey') ?? this.sessionKey };
  }
}
