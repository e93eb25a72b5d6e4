import type { Selectable, Transaction } from 'kysely';
import type { AccountMember } from '../../accounts/member.js';
import { memberRole } from '../../../src/wire/management/member.js';
import { RowReader } from '../rows/row-reader.js';
import type { Schema } from '../schema.js';
import type { AccountMemberTable } from '../schema/credential-tables.js';

/** A member whose role cannot be read has no rights. Their owner sees them, and can give them another role. */
export const memberReader = new RowReader<Selectable<AccountMemberTable>, AccountMember>({
  table: 'account_member',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    name: row.text('name'),
    role: row.tolerate(() => row.oneOf('role', memberRole.options), null),
    createdOn: row.tolerate(() => row.time('created_on'), 0),
  }),
});

/** By their ids, of those who are still members. */
export async function namesOfMembers(
  trx: Transaction<Schema>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await trx.selectFrom('account_member').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
