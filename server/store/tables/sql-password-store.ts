import type { Selectable, Transaction } from 'kysely';
import type { LoggedIn } from '../../accounts/dashboard-login-store.js';
import { withNetwork } from '../../accounts/passwords/known-networks.js';
import { isPasswordHash } from '../../accounts/passwords/password-hash.js';
import { codeContext, type PasswordStore, type StoredPassword } from '../../accounts/passwords/password-store.js';
import type { AuditChange } from '../../oversight/audit-entry.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import type { ValueSeal } from '../keys/value-seal.js';
import { ColumnFault } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { MemberPasswordTable } from '../schema/credential-tables.js';
import { writeAudit } from './sql-audit-store.js';
import { beginSession, memberWithId } from './sql-dashboard-login-store.js';
import { namesOfMembers } from './sql-member-rows.js';
import { lockMember } from './sql-member-store.js';

export class SqlPasswordStore implements PasswordStore {
  readonly #db: Database;
  readonly #reader: RowReader<Selectable<MemberPasswordTable>, StoredPassword>;

  constructor(db: Database, seal: Pick<ValueSeal, 'open'>) {
    this.#db = db;
    this.#reader = passwordReader(seal);
  }

  async set(password: StoredPassword, now: number) {
    const { accountId, memberId, loginName } = password;
    return await this.#db.transaction().execute(async (trx) => {
      const member = await lockMember(trx, accountId, memberId);
      if (!member) return 'gone';
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
      const change = { ...auditOf(password), targetName: member.name, before, after: { loginName } };
      await writeAudit(trx, { ...change, action: 'password_set' }, now);
      return 'set';
    });
  }

  async find(memberId: string): Promise<StoredPassword | undefined> {
    const query = this.#db.selectFrom('member_password').selectAll().where('member_id', '=', memberId);
    return this.#reader.find(this.#db, await query.executeTakeFirst());
  }

  async findByName(loginName: string): Promise<StoredPassword | undefined> {
    const query = this.#db.selectFrom('member_password').selectAll().where('login_name', '=', loginName);
    return this.#reader.find(this.#db, await query.executeTakeFirst());
  }

  async remove(memberId: string, now: number): Promise<boolean> {
    const remove = (trx: Transaction<Schema>) => removePassword(trx, memberId, now);
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async signIn(...[{ password, step, network }, session, now]: Parameters<PasswordStore['signIn']>) {
    const { accountId, memberId, hash, loginName, knownNetworks } = password;
    const known = JSON.stringify(withNetwork(knownNetworks, network));
    return await this.#db.transaction().execute(async (trx): Promise<LoggedIn | undefined> => {
      if (!(await lockMember(trx, accountId, memberId))) return undefined;
      const used = await trx
        .updateTable('member_password')
        .set({ last_step: step, last_used_on: now, known_networks: known })
        .where('member_id', '=', memberId)
        .where('hash', '=', hash)
        .where('last_step', '<', step)
        .returning('member_id')
        .executeTakeFirst();
      if (!used) return undefined;
      const member = await memberWithId(trx, memberId);
      if (!member) return undefined;
      const loggedIn = { accountId, who: member };
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
  if (!row) return false;
  const before = { loginName: row.login_name };
  const of = auditOf({ accountId: row.account_id, memberId: row.member_id });
  const targetName = (await namesOfMembers(trx, [memberId])).get(memberId);
  await writeAudit(trx, { ...of, targetName, action: 'password_removed', before, after: null }, now);
  return true;
}

function auditOf({
  accountId,
  memberId,
}: Pick<StoredPassword, 'accountId' | 'memberId'>): Pick<AuditChange, 'accountId' | 'target'> {
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
    known_networks: JSON.stringify(password.knownNetworks),
  };
}

/** A password with a secret of codes that cannot be decrypted is none: nobody can log in with it. */
function passwordReader(seal: Pick<ValueSeal, 'open'>) {
  return new RowReader<Selectable<MemberPasswordTable>, StoredPassword>({
    table: 'member_password',
    key: ['member_id'],
    read(row) {
      const memberId = row.text('member_id');
      row.sealed('code_secret_sealed', seal, codeContext(memberId));
      const hash = row.text('hash');
      if (!isPasswordHash(hash)) throw new ColumnFault('hash', 'is not a hash of a password');
      return {
        memberId,
        accountId: row.text('account_id'),
        loginName: row.text('login_name'),
        hash,
        codeSecretSealed: row.text('code_secret_sealed'),
        lastStep: row.count('last_step'),
        createdOn: row.time('created_on'),
        lastUsedOn: row.orNull('last_used_on', row.time),
        knownNetworks: row.tolerate(() => row.orNull('known_networks', row.list) ?? [], []),
      };
    },
  });
}
