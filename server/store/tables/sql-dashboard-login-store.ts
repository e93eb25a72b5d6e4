import type { DashboardLoginStore, HashedCredential } from '../../accounts/dashboard-login-store.js';
import { secretId } from '../../accounts/secret-value.js';
import type { Database } from '../schema.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlDashboardLoginStore implements DashboardLoginStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addCode({ hash, accountId, expiresOn }: HashedCredential, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('dashboard_code').where('expires_on', '<=', now).execute();
      await trx
        .insertInto('dashboard_code')
        .values({ code_hash: hash, account_id: accountId, expires_on: expiresOn })
        .execute();
      const target = { kind: 'dashboard_link', id: secretId('lnk', hash) };
      const after = { expiresOn: new Date(expiresOn).toISOString() };
      await writeAudit(trx, { accountId, action: 'dashboard_link_created', target, before: null, after }, now);
    });
  }

  async spendCode(
    codeHash: string,
    session: Omit<HashedCredential, 'accountId'>,
    now: number,
  ): Promise<string | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Only one delete finds the row, so a code is spent once.
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
      const accountId = spent.account_id;
      const target = { kind: 'dashboard_session', id: secretId('ses', session.hash) };
      const after = { link: secretId('lnk', codeHash), expiresOn: new Date(session.expiresOn).toISOString() };
      await writeAudit(trx, { accountId, action: 'dashboard_opened', target, before: null, after }, now);
      return accountId;
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

  async removeSession(hash: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const ended = await trx
        .deleteFrom('dashboard_session')
        .where('session_hash', '=', hash)
        .returningAll()
        .executeTakeFirst();
      if (!ended) return;
      const target = { kind: 'dashboard_session', id: secretId('ses', hash) };
      const before = { expiresOn: new Date(Number(ended.expires_on)).toISOString() };
      const accountId = ended.account_id;
      await writeAudit(trx, { accountId, action: 'dashboard_closed', target, before, after: null }, now);
    });
  }
}
