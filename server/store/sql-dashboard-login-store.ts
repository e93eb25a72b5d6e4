import type { DashboardLoginStore, Pass } from '../accounts/dashboard-login-store.js';
import type { Database } from './database.js';

export class SqlDashboardLoginStore implements DashboardLoginStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addCode({ hash, accountId, expiresOn }: Pass, now: number): Promise<void> {
    await this.#db.deleteFrom('dashboard_code').where('expires_on', '<=', now).execute();
    await this.#db
      .insertInto('dashboard_code')
      .values({ code_hash: hash, account_id: accountId, expires_on: expiresOn })
      .execute();
  }

  async spendCode(codeHash: string, session: Omit<Pass, 'accountId'>, now: number): Promise<string | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Whose delete finds the row has spent the code.
      const spent = await trx
        .deleteFrom('dashboard_code')
        .where('code_hash', '=', codeHash)
        .where('expires_on', '>', now)
        .returning('account_id')
        .executeTakeFirst();
      if (!spent) return undefined;

      await trx.deleteFrom('dashboard_session').where('expires_on', '<=', now).execute();
      await trx
        .insertInto('dashboard_session')
        .values({ session_hash: session.hash, account_id: spent.account_id, expires_on: session.expiresOn })
        .execute();
      return spent.account_id;
    });
  }

  async findSession(hash: string, now: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('dashboard_session')
      .select('account_id')
      .where('session_hash', '=', hash)
      .where('expires_on', '>', now)
      .executeTakeFirst();
    return row?.account_id;
  }

  async removeSession(hash: string): Promise<void> {
    await this.#db.deleteFrom('dashboard_session').where('session_hash', '=', hash).execute();
  }
}
