import { runAsActor } from '../oversight/actor.js';
import type { DashboardLoginStore } from './dashboard-login-store.js';
import { newSecretValue, secretHash, secretId } from './secret-value.js';

const HOUR_MS = 3_600_000;
export const LOGIN_CODE_TTL_MS = 24 * HOUR_MS;
export const SESSION_TTL_MS = 30 * 24 * HOUR_MS;

export interface DashboardSessionStart {
  readonly accountId: string;
  /** The cookie's value; kept here as a hash only. */
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/** Lets a person into an account's dashboard: a one-time code, traded for a session that a cookie holds. */
export class DashboardLogin {
  readonly #store: DashboardLoginStore;
  readonly #now: () => number;

  constructor(store: DashboardLoginStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** A code that opens the account's dashboard once, within a day. The account must exist. */
  async createCode(accountId: string): Promise<string> {
    const code = newSecretValue();
    const now = this.#now();
    await this.#store.addCode({ hash: secretHash(code), accountId, expiresOn: now + LOGIN_CODE_TTL_MS }, now);
    return code;
  }

  /** Spends the code. Undefined when it is not, or no longer, good for anything. */
  async login(code: string): Promise<DashboardSessionStart | undefined> {
    const now = this.#now();
    const session = newSecretValue();
    const expiresOn = now + SESSION_TTL_MS;
    const accountId = await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.spendCode(secretHash(code), { hash: secretHash(session), expiresOn }, now),
    );
    return accountId === undefined ? undefined : { accountId, session, expiresOn };
  }

  /** The account the session is in. */
  async verify(session: string): Promise<string | undefined> {
    return await this.#store.findSession(secretHash(session), this.#now());
  }

  async logout(session: string): Promise<void> {
    await runAsActor({ by: 'dashboard', id: this.idOf(session) }, () =>
      this.#store.removeSession(secretHash(session), this.#now()),
    );
  }

  /** What the audit log calls this login: `ses_` and 12 hex digits. */
  idOf(session: string): string {
    return secretId('ses', secretHash(session));
  }
}

/** The address a person opens. The code is in the fragment, which browsers neither send, log nor pass on. */
export function dashboardLink(publicUrl: string, code: string): string {
  return `${publicUrl}/dashboard#code=${code}`;
}
