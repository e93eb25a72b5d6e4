import { runAsActor } from '../oversight/actor.js';
import type { DashboardLoginStore, LoggedIn, NewLogin, StoredLogin } from './dashboard-login-store.js';
import { newSecretValue, secretHash, secretId } from './secret-value.js';

const HOUR_MS = 3_600_000;
export const LOGIN_CODE_TTL_MS = 24 * HOUR_MS;
/** The longest life of a session, however much it is used. */
export const SESSION_TTL_MS = 30 * 24 * HOUR_MS;

/** The longest user agent that is stored. */
const MAX_USER_AGENT = 256;

/** What the server knows of a browser that logs in. */
export interface LoginBrowser {
  /** In the form of `bindingAddress`. Empty: unknown. */
  readonly address: string;
  /** The header User-Agent. */
  readonly userAgent?: string | undefined;
}

export interface DashboardSessionStart extends LoggedIn {
  /** The value of the cookie. The server stores its hash only. */
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/** A session that is not stored yet, with the value of its cookie. */
export function newSession(
  { address, userAgent }: LoginBrowser,
  now: number,
): { readonly session: string; readonly stored: NewLogin } {
  const session = newSecretValue();
  const browser = { address, userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null };
  return { session, stored: { hash: secretHash(session), expiresOn: now + SESSION_TTL_MS, ...browser } };
}

/** Logs a person in to the dashboard of an account: a one-time code is exchanged for a session in a cookie. */
export class DashboardLogin {
  readonly #store: DashboardLoginStore;
  readonly #now: () => number;

  constructor(store: DashboardLoginStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Creates a code that opens the dashboard of the account once, within a day. The account must exist. */
  async createCode(accountId: string): Promise<string> {
    const code = newSecretValue();
    const now = this.#now();
    await this.#store.addCode({ hash: secretHash(code), accountId, expiresOn: now + LOGIN_CODE_TTL_MS }, now);
    return code;
  }

  /** Exchanges the code for a session. Undefined if the code is unknown, spent or expired. */
  async login(code: string, browser: LoginBrowser = { address: '' }): Promise<DashboardSessionStart | undefined> {
    const now = this.#now();
    const { session, stored } = newSession(browser, now);
    const loggedIn = await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.spendCode(secretHash(code), stored, now),
    );
    return loggedIn && { ...loggedIn, session, expiresOn: stored.expiresOn };
  }

  /** Whose session it is; undefined if it is unknown or expired. */
  async verify(session: string): Promise<LoggedIn | undefined> {
    return await this.#store.findSession(secretHash(session), this.#now());
  }

  async logout(session: string): Promise<void> {
    await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.removeSession(secretHash(session), this.#now()),
    );
  }

  /** Records that a session was used. @param hash of the session */
  async recordUse(hash: string, time: number, from: string): Promise<void> {
    await this.#store.recordUse(hash, time, from);
  }

  /** The browsers that are logged in to the account, the last seen first. */
  async list(accountId: string): Promise<readonly StoredLogin[]> {
    return await this.#store.list(accountId, this.#now());
  }

  /** Ends one session of the account. @returns false if it has none with this id */
  async end(accountId: string, id: string): Promise<boolean> {
    return await this.#store.end(accountId, id, this.#now());
  }

  /** Ends every session of the account but this one. @returns how many */
  async endOthers(accountId: string, except: string | undefined): Promise<number> {
    return await this.#store.endOthers(accountId, except, this.#now());
  }

  /** The id of the session in the audit log: `ses_` and 12 hex digits. */
  idOf(session: string): string {
    return secretId('ses', secretHash(session));
  }
}

/** The URL that a person opens. The code is in the fragment, which browsers do not send to servers. */
export function dashboardLink(publicUrl: string, code: string): string {
  return `${publicUrl}/dashboard#code=${code}`;
}
