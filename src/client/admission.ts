import type { StreamGrant } from '../wire/stream-grant.js';
import { authorize, type Access } from './authorize.js';
import { text } from './reading.js';

/** How the sessions of one run get in: the first by asking the director, the next by what the last one left. */
export class Admission {
  readonly role: 'subscribe' | 'publish';
  readonly #access: Access;
  #isNew = true;
  #sessionKey: string | undefined;
  #left: StreamGrant | undefined;

  /** @param sessionKey publishers only: from the session that the first one resumes */
  constructor(role: 'subscribe' | 'publish', access: Access, sessionKey?: string) {
    this.role = role;
    this.#access = access;
    this.#sessionKey = sessionKey;
  }

  /** What takes a broadcaster's name back, by way of the director. */
  get sessionKey(): string | undefined {
    return this.#sessionKey;
  }

  /**
   * Where a websocket can be opened that is shown its grant later. Only for who comes for the first time: a crowd that
   * comes back asks as little as it can.
   */
  get earlyUrl(): string | undefined {
    const { endpoint } = this.#access;
    if (!this.#isNew || !URL.canParse(endpoint)) return undefined;
    return `${new URL(endpoint).origin.replace('http', 'ws')}/ws/v2/${this.role === 'publish' ? 'pub' : 'sub'}`;
  }

  /** Asks the director. @throws {StreamError} see `authorize` */
  ask(signal: AbortSignal): Promise<StreamGrant> {
    this.#isNew = false;
    return authorize(this.role, this.#access, signal, this.#sessionKey);
  }

  /** The way back in without the director, once. The service may refuse it. */
  takeBack(): StreamGrant | undefined {
    const left = this.#left;
    this.#left = undefined;
    return left;
  }

  /** Keeps what the answer to `view` or `publish` holds for the next session. */
  keep(grant: StreamGrant, answer: unknown): void {
    const jwt = text(answer, 'resumeToken');
    this.#left = jwt === undefined ? undefined : { ...grant, jwt };
    this.#sessionKey = text(answer, 'sessionKey') ?? this.#sessionKey;
  }
}
