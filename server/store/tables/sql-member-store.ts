import type { Selectable, Transaction } from 'kysely';
import type { AccountMember, SeenMember } from '../../accounts/member.js';
import type { MemberChange, MemberCode, MemberStore, NewMember } from '../../accounts/member-store.js';
import { secretId } from '../../accounts/secret-value.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { storedTime } from '../rows/columns.js';
import type { Database, Schema } from '../schema.js';
import type { AccountMemberTable } from '../schema/credential-tables.js';
import { writeAudit } from './sql-audit-store.js';
import { memberReader } from './sql-member-rows.js';
import { isOpen, writeLogouts } from './sql-dashboard-login-store.js';

export class SqlMemberStore implements MemberStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(member: NewMember, code: MemberCode): Promise<void> {
    const { id, accountId, name, role, createdOn } = member;
    await this.#db.transaction().execute(async (trx) => {
      await insert(trx, member);
      const target = { kind: 'member', id };
      const change = { accountId, action: 'member_added', target, before: null, after: { name, role } } as const;
      await writeAudit(trx, change, createdOn);
      await addCode(trx, member, code, createdOn);
    });
  }

  async addCode(accountId: string, id: string, code: MemberCode, now: number): Promise<SeenMember | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await lockMember(trx, accountId, id);
      if (!row) return undefined;
      await trx.deleteFrom('dashboard_code').where('member_id', '=', id).execute();
      await addCode(trx, { id, accountId, name: row.name }, code, now);
      return await withLastSeen(trx, row, now);
    });
  }

  async adopt(member: NewMember, sessionHash: string): Promise<boolean> {
    const { id, accountId, name, role, createdOn } = member;
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the login, so that it gets one member.
      const login = await trx
        .updateTable('dashboard_session')
        .set({ account_id: accountId })
        .where('session_hash', '=', sessionHash)
        .where('account_id', '=', accountId)
        .where('member_id', 'is', null)
        .where('expires_on', '>', createdOn)
        .returning('session_hash')
        .executeTakeFirst();
      if (!login) return false;
      await insert(trx, member);
      await trx
        .updateTable('dashboard_session')
        .set({ member_id: id })
        .where('session_hash', '=', sessionHash)
        .execute();
      const after = { name, role, login: secretId('ses', sessionHash) };
      const target = { kind: 'member', id };
      await writeAudit(trx, { accountId, action: 'member_added', target, before: null, after }, createdOn);
      return true;
    });
  }

  async list(accountId: string, now: number): Promise<readonly SeenMember[]> {
    const rows = await this.#db
      .selectFrom('account_member')
      .where('account_id', '=', accountId)
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('dashboard_session')
          .whereRef('dashboard_session.member_id', '=', 'account_member.id')
          .where(isOpen(now))
          .select((session) => session.fn.max('last_seen_on').as('last'))
          .as('last_seen_on'),
      )
      .select((eb) =>
        eb
          .selectFrom('member_passkey')
          .whereRef('member_passkey.member_id', '=', 'account_member.id')
          .select((passkey) => passkey.fn.countAll().as('count'))
          .as('passkeys'),
      )
      .select((eb) =>
        eb
          .selectFrom('member_password')
          .whereRef('member_password.member_id', '=', 'account_member.id')
          .select('member_password.member_id')
          .as('password_of'),
      )
      .orderBy('created_on')
      .orderBy('id')
      .execute();
    return rows.flatMap((row) => {
      const member = memberReader.find(this.#db, row);
      const seen = { lastSeenOn: storedTime(row.last_seen_on), hasPassword: row.password_of !== null };
      return member ? [{ ...member, ...seen, passkeys: Number(row.passkeys ?? 0) }] : [];
    });
  }

  async update(accountId: string, id: string, change: MemberChange, now: number): Promise<SeenMember | undefined> {
    const update = async (trx: Transaction<Schema>) => {
      const row = await lockMember(trx, accountId, id);
      if (!row) return undefined;
      const { name = row.name, role = row.role } = change;
      if (name !== row.name || role !== row.role) {
        await trx.updateTable('account_member').set({ name, role }).where('id', '=', id).execute();
        const target = { kind: 'member', id };
        const fields = { before: { name: row.name, role: row.role }, after: { name, role } };
        await writeAudit(trx, { accountId, action: 'member_changed', target, ...fields }, now);
      }
      return await withLastSeen(trx, { ...row, name, role }, now);
    };
    // Permissions must be revocable when the disk is full.
    return await allowOnFullDisk(() => this.#db.transaction().execute(update));
  }

  async remove(accountId: string, id: string, now: number): Promise<boolean> {
    const remove = async (trx: Transaction<Schema>) => {
      const row = await lockMember(trx, accountId, id);
      if (!row) return false;
      const ended = await trx.deleteFrom('dashboard_session').where('member_id', '=', id).returningAll().execute();
      await writeLogouts(trx, ended, now);
      await trx.deleteFrom('account_member').where('id', '=', id).execute();
      const target = { kind: 'member', id };
      const before = { name: row.name, role: row.role };
      await writeAudit(trx, { accountId, action: 'member_removed', target, before, after: null }, now);
      return true;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }
}

async function insert(trx: Transaction<Schema>, member: NewMember): Promise<void> {
  const { id, accountId, name, role, createdOn } = member;
  await trx
    .insertInto('account_member')
    .values({ id, account_id: accountId, name, role, created_on: createdOn })
    .execute();
}

/** Writing first locks the row on every database, so that what is read with it is current. */
export async function lockMember(trx: Transaction<Schema>, accountId: string, id: string) {
  return await trx
    .updateTable('account_member')
    .set({ account_id: accountId })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

async function addCode(
  trx: Transaction<Schema>,
  { id, accountId, name: targetName }: Pick<AccountMember, 'id' | 'accountId' | 'name'>,
  { hash, expiresOn }: MemberCode,
  now: number,
): Promise<void> {
  await trx.deleteFrom('dashboard_code').where('expires_on', '<=', now).execute();
  await trx
    .insertInto('dashboard_code')
    .values({ code_hash: hash, account_id: accountId, member_id: id, expires_on: expiresOn })
    .execute();
  const target = { kind: 'dashboard_link', id: secretId('lnk', hash) };
  const after = { member: id, expiresOn: new Date(expiresOn).toISOString() };
  await writeAudit(trx, { accountId, action: 'dashboard_link_created', target, targetName, before: null, after }, now);
}

async function withLastSeen(
  trx: Transaction<Schema>,
  row: Selectable<AccountMemberTable>,
  now: number,
): Promise<SeenMember> {
  const seen = await trx
    .selectFrom('dashboard_session')
    .where('member_id', '=', row.id)
    .where(isOpen(now))
    .select((eb) => eb.fn.max('last_seen_on').as('last'))
    .executeTakeFirst();
  const { count } = await trx
    .selectFrom('member_passkey')
    .where('member_id', '=', row.id)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const password = await trx
    .selectFrom('member_password')
    .where('member_id', '=', row.id)
    .select('member_id')
    .executeTakeFirst();
  const member = memberReader.read(trx, row);
  const lastSeenOn = storedTime(seen?.last ?? null);
  return { ...member, lastSeenOn, passkeys: Number(count), hasPassword: password !== undefined };
}
