import type { Database } from '../store/database.js';
import { newSecretValue, secretHash } from './secret-value.js';

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
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** A code that opens the account's dashboard once, within a day. The account must exist. */
  async createCode(accountId: string): Promise<string> {
    const code = newSecretValue();
    const now = this.#now();
    await this.#db.deleteFrom('dashboard_code').where('expires_on', '<=', now).execute();
    await this.#db
      .insertInto('dashboard_code')
      .values({ code_hash: secretHash(code), account_id: accountId, expires_on: now + LOGIN_CODE_TTL_MS })
      .execute();
    return code;
  }

  /** Spends the code. Of two who bring it at once, one gets in: whose delete found it. */
  async login(code: string): Promise<DashboardSessionStart | undefined> {
    const now = this.#now();
    return await this.#db.transaction().execute(async (trx) => {
      const spent = await trx
        .deleteFrom('dashboard_code')
        .where('code_hash', '=', secretHash(code))
        .returning(['account_id', 'expires_on'])
        .executeTakeFirst();
      if (!spent || Number(spent.expires_on) <= now) return undefined;

      const session = newSecretValue();
      const expiresOn = now + SESSION_TTL_MS;
      await trx.deleteFrom('dashboard_session').where('expires_on', '<=', now).execute();
      await trx
        .insertInto('dashboard_session')
        .values({ session_hash: secretHash(session), account_id: spent.account_id, expires_on: expiresOn })
        .execute();
      return { accountId: spent.account_id, session, expiresOn };
    });
  }

  /** The account the session is in. */
  async verify(session: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('dashboard_session')
      .select('account_id')
      .where('session_hash', '=', secretHash(session))
      .where('expires_on', '>', this.#now())
      .executeTakeFirst();
    return row?.account_id;
  }

  async logout(session: string): Promise<void> {
    await this.#db.deleteFrom('dashboard_session').where('session_hash', '=', secretHash(session)).execute();
  }
}

/** The address a person opens. The code is in the fragment, which browsers neither send, log nor pass on. */
export function dashboardLink(publicUrl: string, code: string): string {
  return `${publicUrl}/dashboard#code=${code}`;
}
