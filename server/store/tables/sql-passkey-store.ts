import type { Selectable, Transaction } from 'kysely';
import type { LoggedIn, NewLogin } from '../../accounts/dashboard-login-store.js';
import type { CheckedChallenge } from '../../accounts/passkeys/passkey-challenges.js';
import type { PasskeyStore, PasskeySubject, PasskeyUse } from '../../accounts/passkeys/passkey-store.js';
import { MAX_PASSKEYS, type Passkey } from '../../accounts/passkeys/passkey.js';
import type { AuditChange } from '../../oversight/audit-entry.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { MemberPasskeyTable } from '../schema/credential-tables.js';
import { writeAudit, writeAudits } from './sql-audit-store.js';
import { beginSession, memberWithId, writeLogouts } from './sql-dashboard-login-store.js';
import { removePassword } from './sql-password-store.js';
import { lockMember } from './sql-member-store.js';

export class SqlPasskeyStore implements PasskeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(passkey: Passkey, challenge: CheckedChallenge, now: number) {
    const { accountId, memberId } = passkey;
    return await this.#db.transaction().execute(async (trx) => {
      if (!(await useChallenge(trx, challenge, now))) return 'challenge_used';
      if (!(await lockMember(trx, accountId, memberId))) return 'gone';
      const { count } = await trx
        .selectFrom('member_passkey')
        .where('member_id', '=', memberId)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_PASSKEYS) return 'full';
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('member_passkey')
        .values(rowOf(passkey))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (!numInsertedOrUpdatedRows) return 'exists';
      const { id, name, host } = passkey;
      const change = { ...auditOf(passkey), action: 'passkey_added', before: null } as const;
      await writeAudit(
        trx,
        { ...change, target: { kind: 'passkey', id }, after: { member: memberId, name, host } },
        now,
      );
      return 'added';
    });
  }

  async list(memberId: string): Promise<readonly Passkey[]> {
    const rows = await this.#db
      .selectFrom('member_passkey')
      .selectAll()
      .where('member_id', '=', memberId)
      .orderBy('created_on')
      .orderBy('id')
      .execute();
    return passkeyReader.readAll(this.#db, rows);
  }

  async findByCredential(credentialId: string): Promise<Passkey | undefined> {
    const query = this.#db.selectFrom('member_passkey').selectAll().where('credential_id', '=', credentialId);
    return passkeyReader.find(this.#db, await query.executeTakeFirst());
  }

  async rename({ memberId, id }: PasskeySubject, name: string, now: number): Promise<Passkey | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the row, so that the name before is current.
      const row = await trx
        .updateTable('member_passkey')
        .set({ member_id: memberId })
        .where('member_id', '=', memberId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const passkey = passkeyReader.read(trx, row);
      if (name === passkey.name) return passkey;
      await trx.updateTable('member_passkey').set({ name }).where('id', '=', id).execute();
      const fields = { before: { name: passkey.name }, after: { name } };
      await writeAudit(trx, { ...auditOf(passkey), action: 'passkey_changed', ...fields }, now);
      return { ...passkey, name };
    });
  }

  async remove({ memberId, id }: PasskeySubject, now: number): Promise<boolean> {
    const remove = async (trx: Transaction<Schema>) => {
      const removed = await trx
        .deleteFrom('member_passkey')
        .where('member_id', '=', memberId)
        .where('id', '=', id)
        .returningAll()
        .execute();
      await writeRemovals(trx, removed, now);
      return removed.length > 0;
    };
    // The passkey of a device that was stolen must be removable when the disk is full.
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async reset({ accountId, id }: { accountId: string; id: string }, now: number): Promise<boolean> {
    const reset = async (trx: Transaction<Schema>) => {
      if (!(await lockMember(trx, accountId, id))) return false;
      const removed = await trx.deleteFrom('member_passkey').where('member_id', '=', id).returningAll().execute();
      await writeRemovals(trx, removed, now);
      await removePassword(trx, id, now);
      const ended = await trx.deleteFrom('dashboard_session').where('member_id', '=', id).returningAll().execute();
      await writeLogouts(trx, ended, now);
      return true;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(reset));
  }

  async signIn({ credentialId, counter, challenge }: PasskeyUse, session: NewLogin, now: number) {
    return await this.#db.transaction().execute(async (trx): Promise<LoggedIn | SignInRefusal> => {
      if (!(await useChallenge(trx, challenge, now))) return 'challenge_used';
      const owner = await trx
        .selectFrom('member_passkey')
        .select(['account_id', 'member_id'])
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      // The member first, as everywhere, so that two transactions never wait for each other.
      if (!owner || !(await lockMember(trx, owner.account_id, owner.member_id))) return 'gone';
      const row = await trx
        .updateTable('member_passkey')
        .set({ credential_id: credentialId })
        .where('credential_id', '=', credentialId)
        .returningAll()
        .executeTakeFirst();
      const passkey = passkeyReader.find(trx, row);
      const member = passkey && (await memberWithId(trx, passkey.memberId));
      if (!member) return 'gone';
      // Another server may have recorded a later use since the signature was verified.
      if (counter <= passkey.counter && (counter > 0 || passkey.counter > 0)) return 'passkey_wrong';
      const used = { counter, last_used_on: now };
      await trx.updateTable('member_passkey').set(used).where('id', '=', passkey.id).execute();
      const loggedIn = { accountId: passkey.accountId, who: member };
      await beginSession(trx, loggedIn, { session, by: { passkey: passkey.id }, now });
      return loggedIn;
    });
  }
}

type SignInRefusal = 'challenge_used' | 'passkey_wrong' | 'gone';

/** @returns false if it was used before */
async function useChallenge(
  trx: Transaction<Schema>,
  { hash, expiresOn }: CheckedChallenge,
  now: number,
): Promise<boolean> {
  await trx.deleteFrom('used_challenge').where('expires_on', '<=', now).execute();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('used_challenge')
    .values({ challenge_hash: hash, expires_on: expiresOn })
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .executeTakeFirstOrThrow();
  return Boolean(numInsertedOrUpdatedRows);
}

async function writeRemovals(
  trx: Transaction<Schema>,
  removed: readonly Selectable<MemberPasskeyTable>[],
  now: number,
): Promise<void> {
  const changes = removed.map((row): AuditChange => ({
    accountId: row.account_id,
    action: 'passkey_removed',
    target: { kind: 'passkey', id: row.id },
    before: { member: row.member_id, name: row.name, host: row.host },
    after: null,
  }));
  await writeAudits(trx, changes, now);
}

function auditOf({ accountId, id }: Passkey): Pick<AuditChange, 'accountId' | 'target'> {
  return { accountId, target: { kind: 'passkey', id } };
}

function rowOf(passkey: Passkey): MemberPasskeyTable {
  return {
    id: passkey.id,
    credential_id: passkey.credentialId,
    account_id: passkey.accountId,
    member_id: passkey.memberId,
    name: passkey.name,
    host: passkey.host,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    synced: passkey.synced ? 1 : 0,
    created_on: passkey.createdOn,
    last_used_on: passkey.lastUsedOn,
  };
}

const passkeyReader = new RowReader<Selectable<MemberPasskeyTable>, Passkey>({
  table: 'member_passkey',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    credentialId: row.text('credential_id'),
    accountId: row.text('account_id'),
    memberId: row.text('member_id'),
    name: row.text('name'),
    host: row.text('host'),
    publicKey: row.text('public_key'),
    counter: row.count('counter'),
    transports: row.list('transports'),
    synced: row.flag('synced'),
    createdOn: row.time('created_on'),
    lastUsedOn: row.orNull('last_used_on', row.time),
  }),
});
