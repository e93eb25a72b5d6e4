import type { Selectable, Transaction } from 'kysely';
import type { LoggedIn, NewLogin } from '../../accounts/dashboard-login-store.js';
import type { PasswordStore, StoredPassword } from '../../accounts/passwords/password-store.js';
import type { AuditChange } from '../../oversight/audit-entry.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import type { Database, Schema } from '../schema.js';
import type { MemberPasswordTable } from '../schema/credential-tables.js';
import { writeAudit } from './sql-audit-store.js';
import { beginSession, memberWithId } from './sql-dashboard-login-store.js';
import { lockMember } from './sql-member-store.js';

export class SqlPasswordStore implements PasswordStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async set(password: StoredPassword, now: number) {
    const { accountId, memberId, loginName } = password;
    return await this.#db.transaction().execute(async (trx) => {
      if (!(await lockMember(trx, accountId, memberId))) return 'gone';
      const removed = await trx
        .deleteFrom('member_password')
        .where('member_id', '=', memberId)
        .returningAll()
        .executeTakeFirst();
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('member_password')
        .values(rowOf(password))
        .onConflict((conflict) => conflict.column('login_name').doNothing())
        .executeTakeFirstOrThrow();
      if (!numInsertedOrUpdatedRows) {
        // The password from before stays.
        if (removed) await trx.insertInto('member_password').values(removed).execute();
        return 'name_taken';
      }
      const before = removed ? { loginName: removed.login_name } : null;
      await writeAudit(trx, { ...auditOf(password), action: 'password_set', before, after: { loginName } }, now);
      return 'set';
    });
  }

  async find(memberId: string): Promise<StoredPassword | undefined> {
    const query = this.#db.selectFrom('member_password').selectAll().where('member_id', '=', memberId);
    return passwordOf(await query.executeTakeFirst());
  }

  async findByName(loginName: string): Promise<StoredPassword | undefined> {
    const query = this.#db.selectFrom('member_password').selectAll().where('login_name', '=', loginName);
    return passwordOf(await query.executeTakeFirst());
  }

  async remove(memberId: string, now: number): Promise<boolean> {
    const remove = (trx: Transaction<Schema>) => removePassword(trx, memberId, now);
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async signIn({ password, step }: { password: StoredPassword; step: number }, session: NewLogin, now: number) {
    const { accountId, memberId, hash, loginName } = password;
    return await this.#db.transaction().execute(async (trx): Promise<LoggedIn | undefined> => {
      if (!(await lockMember(trx, accountId, memberId))) return undefined;
      const used = await trx
        .updateTable('member_password')
        .set({ last_step: step, last_used_on: now })
        .where('member_id', '=', memberId)
        .where('hash', '=', hash)
        .where('last_step', '<', step)
        .returning('member_id')
        .executeTakeFirst();
      if (!used) return undefined;
      const loggedIn = { accountId, who: await memberWithId(trx, memberId) };
      await beginSession(trx, loggedIn, { session, by: { loginName }, now });
      return loggedIn;
    });
  }
}

/** Removes the password of a member. @returns false if they have none */
export async function removePassword(trx: Transaction<Schema>, memberId: string, now: number): Promise<boolean> {
  const row = await trx
    .deleteFrom('member_password')
    .where('member_id', '=', memberId)
    .returningAll()
    .executeTakeFirst();
  const removed = passwordOf(row);
  if (!removed) return false;
  const before = { loginName: removed.loginName };
  await writeAudit(trx, { ...auditOf(removed), action: 'password_removed', before, after: null }, now);
  return true;
}

function auditOf({ accountId, memberId }: StoredPassword): Pick<AuditChange, 'accountId' | 'target'> {
  return { accountId, target: { kind: 'member', id: memberId } };
}

function rowOf(password: StoredPassword): MemberPasswordTable {
  return {
    member_id: password.memberId,
    account_id: password.accountId,
    login_name: password.loginName,
    hash: password.hash,
    code_secret_sealed: password.codeSecretSealed,
    last_step: password.lastStep,
    created_on: password.createdOn,
    last_used_on: password.lastUsedOn,
  };
}

/** PostgreSQL returns a bigint as text. */
function passwordOf(row: Selectable<MemberPasswordTable> | undefined): StoredPassword | undefined {
  return (
    row && {
      memberId: row.member_id,
      accountId: row.account_id,
      loginName: row.login_name,
      hash: row.hash,
      codeSecretSealed: row.code_secret_sealed,
      lastStep: Number(row.last_step),
      createdOn: Number(row.created_on),
      lastUsedOn: row.last_used_on === null ? null : Number(row.last_used_on),
    }
  );
}
