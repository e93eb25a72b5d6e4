import type { ExpressionBuilder, Selectable, Transaction } from 'kysely';
import type { AccountMember } from '../../accounts/member.js';
import {
  SESSION_IDLE_MS,
  type DashboardLoginStore,
  type HashedCredential,
  type LoggedIn,
  type NewLogin,
  type StoredLogin,
} from '../../accounts/dashboard-login-store.js';
import { LAST_USE_INTERVAL_MS } from '../../accounts/last-use-recorder.js';
import { secretId } from '../../accounts/secret-value.js';
import { storedIso, storedTime, type Columns } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { DashboardCodeTable, DashboardSessionTable } from '../schema/credential-tables.js';
import type { AuditChange } from '../../oversight/audit-entry.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { memberReader, namesOfMembers } from './sql-member-rows.js';
import { writeAudit, writeAudits } from './sql-audit-store.js';

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
        .values({ code_hash: hash, account_id: accountId, expires_on: expiresOn, member_id: null })
        .execute();
      const target = { kind: 'dashboard_link', id: secretId('lnk', hash) };
      const after = { expiresOn: new Date(expiresOn).toISOString() };
      await writeAudit(trx, { accountId, action: 'dashboard_link_created', target, before: null, after }, now);
    });
  }

  async spendCode(codeHash: string, session: NewLogin, now: number): Promise<LoggedIn | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Only one delete finds the row, so a code is spent once.
      const spent = await trx
        .deleteFrom('dashboard_code')
        .where('code_hash', '=', codeHash)
        .where('expires_on', '>', now)
        .returningAll()
        .executeTakeFirst();
      const code = codeReader.find(trx, spent);
      if (!code) return undefined;
      const who = code.memberId === null ? 'operator' : await memberWithId(trx, code.memberId);
      if (who === undefined) return undefined;
      const loggedIn = { accountId: code.accountId, who } as const;
      await beginSession(trx, loggedIn, { session, by: { link: secretId('lnk', codeHash) }, now });
      return loggedIn;
    });
  }

  async findSession(hash: string, now: number): Promise<LoggedIn | undefined> {
    const row = await this.#db
      .selectFrom('dashboard_session')
      .leftJoin('account_member as member', 'member.id', 'dashboard_session.member_id')
      .selectAll('dashboard_session')
      .select(['member.id', 'member.name', 'member.role', 'member.created_on as joined_on'])
      .where('session_hash', '=', hash)
      .where(isOpen(now))
      .executeTakeFirst();
    const login = loginReader.find(this.#db, row);
    if (!row || !login) return undefined;
    const { account_id: accountId, id, name, role, joined_on } = row;
    if (login.memberId === null) return { accountId, who: 'operator' };
    if (id === null || name === null || role === null || joined_on === null) return undefined;
    const member = memberReader.find(this.#db, { id, account_id: accountId, name, role, created_on: joined_on });
    const who = member && whoIs(member);
    return who && { accountId, who };
  }

  async removeSession(hash: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const ended = await trx
        .deleteFrom('dashboard_session')
        .where('session_hash', '=', hash)
        .returningAll()
        .executeTakeFirst();
      if (ended) await writeLogouts(trx, [ended], now);
    });
  }

  async recordUse(hash: string, time: number, from: string): Promise<void> {
    await this.#db
      .updateTable('dashboard_session')
      .set({ last_seen_on: time, last_seen_from: from })
      .where('session_hash', '=', hash)
      .where((eb) => eb.or([eb('last_seen_on', 'is', null), eb('last_seen_on', '<=', time - LAST_USE_INTERVAL_MS)]))
      .execute();
  }

  async list(accountId: string, now: number): Promise<readonly StoredLogin[]> {
    const rows = await this.#db
      .selectFrom('dashboard_session')
      .leftJoin('account_member', 'account_member.id', 'dashboard_session.member_id')
      .selectAll('dashboard_session')
      .select('account_member.name as member_name')
      .where('dashboard_session.account_id', '=', accountId)
      .where(isOpen(now))
      .execute();
    const seen = ({ lastSeenOn }: StoredLogin) => lastSeenOn ?? 0;
    return loginReader
      .readAll(this.#db, rows)
      .map(({ login }) => login)
      .toSorted((one, other) => seen(other) - seen(one) || (one.id < other.id ? -1 : 1));
  }

  async end(accountId: string, id: string, now: number): Promise<boolean> {
    return (await this.#endWhere(accountId, (login) => login === id, now)) > 0;
  }

  async endOthers(accountId: string, except: string | undefined, now: number): Promise<number> {
    return await this.#endWhere(accountId, (login) => login !== except, now);
  }

  /** Also works on a full disk: a browser that was stolen must be logged out. */
  async #endWhere(accountId: string, isEnded: (id: string) => boolean, now: number): Promise<number> {
    const end = async (trx: Transaction<Schema>) => {
      const rows = await trx
        .selectFrom('dashboard_session')
        .select('session_hash')
        .where('account_id', '=', accountId)
        .execute();
      const hashes = rows.map(({ session_hash: hash }) => hash).filter((hash) => isEnded(secretId('ses', hash)));
      if (hashes.length === 0) return 0;
      const ended = await trx
        .deleteFrom('dashboard_session')
        .where('session_hash', 'in', hashes)
        .returningAll()
        .execute();
      await writeLogouts(trx, ended, now);
      return ended.filter((row) => endOf(row) > now).length;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(end));
  }
}

/** Adds a session, with an audit entry. @param by what the person logged in with, for the audit log */
export async function beginSession(
  trx: Transaction<Schema>,
  { accountId, who }: LoggedIn,
  { session, by, now }: { readonly session: NewLogin; readonly by: Readonly<Record<string, string>>; now: number },
): Promise<void> {
  const member = who === 'operator' ? null : who;
  await trx
    .deleteFrom('dashboard_session')
    .where((eb) => eb.not(isOpen(now)(eb)))
    .execute();
  await trx
    .insertInto('dashboard_session')
    .values({
      session_hash: session.hash,
      account_id: accountId,
      member_id: member && member.id,
      expires_on: session.expiresOn,
      created_on: now,
      last_seen_on: now,
      last_seen_from: session.address,
      user_agent: session.userAgent,
    })
    .execute();
  const target = { kind: 'dashboard_session', id: secretId('ses', session.hash) };
  const after = {
    ...by,
    expiresOn: new Date(session.expiresOn).toISOString(),
    ...(member && { member: member.id, name: member.name }),
  };
  await writeAudit(trx, { accountId, action: 'dashboard_opened', target, before: null, after }, now);
}

/** Writes an audit entry for each of these logins, which have been deleted. */
export async function writeLogouts(
  trx: Transaction<Schema>,
  ended: readonly Selectable<DashboardSessionTable>[],
  now: number,
): Promise<void> {
  const names = await namesOfMembers(trx, [...new Set(ended.flatMap(({ member_id }) => member_id ?? []))]);
  const changes = ended.map((row): AuditChange => ({
    accountId: row.account_id,
    action: 'dashboard_closed',
    target: { kind: 'dashboard_session', id: secretId('ses', row.session_hash) },
    targetName: names.get(row.member_id ?? ''),
    before: { expiresOn: storedIso(row.expires_on) },
    after: null,
  }));
  await writeAudits(trx, changes, now);
}

/** Undefined: there is no such member, or their role cannot be read. */
export async function memberWithId(
  trx: Transaction<Schema>,
  id: string,
): Promise<Exclude<LoggedIn['who'], 'operator'> | undefined> {
  const query = trx.selectFrom('account_member').selectAll().where('id', '=', id);
  const member = memberReader.find(trx, await query.executeTakeFirst());
  return member && whoIs(member);
}

/** Undefined: somebody without a readable role logs in to nothing. */
function whoIs({ id, name, role }: AccountMember): Exclude<LoggedIn['who'], 'operator'> | undefined {
  return role === null ? undefined : { id, name, role };
}

const codeReader = new RowReader<Selectable<DashboardCodeTable>, { accountId: string; memberId: string | null }>({
  table: 'dashboard_code',
  key: ['code_hash'],
  read(row) {
    // Not used, but a time that is none would never expire.
    row.time('expires_on');
    return { accountId: row.text('account_id'), memberId: row.orNull('member_id', row.text) };
  },
});

type SessionRow = Selectable<DashboardSessionTable> & { readonly member_name?: string | null };

const loginReader = new RowReader<SessionRow, { readonly login: StoredLogin; readonly memberId: string | null }>({
  table: 'dashboard_session',
  key: ['session_hash'],
  read: (row) => ({
    login: {
      id: secretId('ses', row.text('session_hash')),
      createdOn: row.orNull('created_on', row.time),
      lastSeenOn: row.orNull('last_seen_on', row.time),
      lastSeenFrom: row.orNull('last_seen_from', row.text),
      userAgent: row.orNull('user_agent', row.text),
      expiresOn: endOfLogin(row),
      memberName: nameOf(row),
    },
    memberId: row.orNull('member_id', row.text),
  }),
});

function nameOf(row: Columns<SessionRow>): string | null {
  return row.has('member_name') ? row.orNull('member_name', row.text) : null;
}

function endOfLogin(row: Columns<SessionRow>): number {
  const expiresOn = row.time('expires_on');
  return row.isNull('last_seen_on') ? expiresOn : Math.min(expiresOn, row.time('last_seen_on') + SESSION_IDLE_MS);
}

/** Whether a session has neither expired nor been unused for too long. */
export function isOpen(now: number) {
  return (eb: ExpressionBuilder<Schema, 'dashboard_session'>) =>
    eb.and([
      eb('dashboard_session.expires_on', '>', now),
      eb.or([
        eb('dashboard_session.last_seen_on', 'is', null),
        eb('dashboard_session.last_seen_on', '>', now - SESSION_IDLE_MS),
      ]),
    ]);
}

/** When a session ends if it is not used again. 0: that cannot be read. */
function endOf({ expires_on: expiresOn, last_seen_on: lastSeenOn }: Selectable<DashboardSessionTable>): number {
  const end = storedTime(expiresOn) ?? 0;
  return lastSeenOn === null ? end : Math.min(end, (storedTime(lastSeenOn) ?? 0) + SESSION_IDLE_MS);
}
