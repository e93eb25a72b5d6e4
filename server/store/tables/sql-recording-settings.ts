import type { Selectable } from 'kysely';
import type { RecordingSettings, RecordingUsage } from '../../recording/recording-store.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { RecordingSettingsTable } from '../schema/recording-tables.js';
import { writeAudit } from './sql-audit-store.js';

const NO_LIMITS: RecordingSettings = { retentionDays: null, quotaBytes: null };

/** What the recordings of an account use. */
export async function recordingUsage(db: Database, accountId: string): Promise<RecordingUsage> {
  const { bytes, count } = await db
    .selectFrom('recording')
    .where('account_id', '=', accountId)
    .select((eb) => [eb.fn.sum('bytes').as('bytes'), eb.fn.countAll().as('count')])
    .executeTakeFirstOrThrow();
  return { usedBytes: Number(bytes ?? 0), recordings: Number(count) };
}

export async function recordingSettings(db: Database, accountId: string): Promise<RecordingSettings> {
  const row = await db
    .selectFrom('recording_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return settingsReader.find(db, row) ?? NO_LIMITS;
}

/** Changes the given fields, and writes that to the audit log. @returns the settings after the change */
export async function changeRecordingSettings(
  db: Database,
  accountId: string,
  { change, now }: { readonly change: Partial<RecordingSettings>; readonly now: number },
): Promise<RecordingSettings> {
  return await db.transaction().execute(async (trx) => {
    // Writing first locks the row on every database, so that what is read with it is current.
    const row = await trx
      .insertInto('recording_settings')
      .values({ account_id: accountId, retention_days: null, quota_bytes: null, updated_on: now })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ updated_on: now }))
      .returningAll()
      .executeTakeFirstOrThrow();
    const before = settingsReader.read(trx, row);
    const after = { ...before, ...change };
    await trx
      .updateTable('recording_settings')
      .set({ retention_days: after.retentionDays, quota_bytes: after.quotaBytes })
      .where('account_id', '=', accountId)
      .execute();
    const target = { kind: 'recording_settings', id: accountId };
    const fields = { before: { ...before }, after: { ...after } };
    await writeAudit(trx, { accountId, target, action: 'recording_settings_changed', ...fields }, now);
    return after;
  });
}

/** A quota that cannot be read is full; a retention that cannot be read deletes nothing. */
const settingsReader = new RowReader<Selectable<RecordingSettingsTable>, RecordingSettings>({
  table: 'recording_settings',
  key: ['account_id'],
  read: (row) => ({
    retentionDays: row.tolerate(() => row.orNull('retention_days', row.count), null),
    quotaBytes: row.tolerate(() => row.orNull('quota_bytes', row.count), 0),
  }),
});
