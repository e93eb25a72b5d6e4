import { runAsActor } from '../oversight/actor.js';
import type { DashboardLoginStore } from './dashboard-login-store.js';
import { newSecretValue, secretHash, secretId } from './secret-value.js';

const HOUR_MS = 3_600_000;
export const LOGIN_CODE_TTL_MS = 24 * HOUR_MS;
export const SESSION_TTL_MS = 30 * 24 * HOUR_MS;

export interface DashboardSessionStart {
  readonly accountId: string;
  /** The value of the cookie. The server stores its hash only. */
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
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
  async login(code: string): Promise<DashboardSessionStart | undefined> {
    const now = this.#now();
    const session = newSecretValue();
    const expiresOn = now + SESSION_TTL_MS;
    const accountId = await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.spendCode(secretHash(code), { hash: secretHash(session), expiresOn }, now),
    );
    return accountId === undefined ? undefined : { accountId, session, expiresOn };
  }

  /** The account of the session; undefined if it is unknown or expired. */
  async verify(session: string): Promise<string | undefined> {
    return await this.#store.findSession(secretHash(session), this.#now());
  }

  async logout(session: string): Promise<void> {
    await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.removeSession(secretHash(session), this.#now()),
    );
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
