import { sql } from 'kysely';
import type { RecordingsQuery, RecordingState } from '../../../src/wire/management/recording.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import { recordingReady } from '../../webhooks/occurrence.js';
import type { RecordedPart, RecordingRecord } from '../../recording/recording-record.js';
import {
  isSilent,
  type RecordingListPage,
  type RecordingSettings,
  type RecordingStore,
  type RecordingUsage,
} from '../../recording/recording-store.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { storedTime } from '../rows/columns.js';
import type { Database } from '../schema.js';
import { writeAudit } from './sql-audit-store.js';
import { lockRecording, presentRecording, presentToken, recordingReader, rowOf } from './sql-recording-rows.js';
import { changeRecordingSettings, recordingSettings, recordingUsage } from './sql-recording-settings.js';
import { writeOccurrence } from './sql-webhook-outbox.js';

export class SqlRecordingStore implements RecordingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(recording: RecordingRecord, action?: 'recording_started' | 'clip_created'): Promise<void> {
    const { accountId, startedOn, endedOn } = recording;
    await this.#db.transaction().execute(async (trx) => {
      await trx.insertInto('recording').values(rowOf(recording)).execute();
      if (!action) return;
      const change = { ...subjectOf(recording), action, before: null, after: auditFields(recording) };
      await writeAudit(trx, { accountId, ...change }, endedOn ?? startedOn);
    });
  }

  async save(recording: RecordingRecord, now: number = Date.now()): Promise<boolean> {
    if (recording.state === 'ready') {
      const becameReady = await this.#db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await updateOf(trx, recording)
          .where('state', '<>', 'ready')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        const { accountId, streamName } = recording;
        await writeOccurrence(trx, recordingReady({ accountId, streamName, time: now }, recording));
        return true;
      });
      if (becameReady) return true;
    }
    const update = async (): Promise<boolean> =>
      (await updateOf(this.#db, recording).executeTakeFirstOrThrow()).numUpdatedRows > 0n;
    // One that is live cannot be deleted, so its end must be stored on a full disk too.
    return recording.state === 'recording' ? await update() : await allowOnFullDisk(update);
  }

  async divide(recording: RecordingRecord, others: readonly RecordingRecord[]): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await updateOf(trx, recording).executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await trx.insertInto('recording').values(others.map(rowOf)).execute();
      return true;
    });
  }

  async saveParts(
    { id, nodeId }: Pick<RecordingRecord, 'id' | 'nodeId'>,
    parts: readonly RecordedPart[],
  ): Promise<void> {
    await this.#db
      .updateTable('recording')
      .set({ parts: JSON.stringify(parts) })
      .where('id', '=', id)
      .where('node_id', '=', nodeId)
      .execute();
  }

  async takeOver(
    id: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<RecordingRecord | undefined> {
    const row = await this.#db
      .updateTable('recording')
      .set({
        node_id: to,
        state: sql<RecordingState>`case when state = 'recording' then 'recording' else 'finishing' end`,
        container: null,
      })
      .where('id', '=', id)
      .where('node_id', '=', from)
      .where((eb) => eb.not(eb.and([eb('state', '=', 'ready'), eb('location', '=', 's3')])))
      .returning('id')
      .executeTakeFirst();
    return row && (await presentRecording(this.#db, id));
  }

  async setExpiry(...[{ accountId, id }, expiresOn, now]: Parameters<RecordingStore['setExpiry']>) {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await lockRecording(trx, { accountId, id });
      if (!before) return undefined;
      if (before.expiresOn === expiresOn) return await presentRecording(trx, id);
      await trx.updateTable('recording').set({ expires_on: expiresOn }).where('id', '=', id).execute();
      const change = {
        before: { expiresOn: isoOrNull(before.expiresOn) },
        after: { expiresOn: isoOrNull(expiresOn) },
      };
      await writeAudit(trx, { accountId, ...subjectOf(before), action: 'recording_changed', ...change }, now);
      return await presentRecording(trx, id);
    });
  }

  async noteStop(recording: RecordingRecord, now: number): Promise<void> {
    const { accountId } = recording;
    const change = { ...subjectOf(recording), before: auditFields(recording), after: null };
    await this.#db
      .transaction()
      .execute((trx) => writeAudit(trx, { accountId, action: 'recording_stopped', ...change }, now));
  }

  async remove(accountId: string, id: string, now: number): Promise<RecordingRecord | 'open' | undefined> {
    // Recordings may be what fills the disk.
    return await allowOnFullDisk(() =>
      this.#db.transaction().execute(async (trx) => {
        const before = await lockRecording(trx, { accountId, id }, 'show');
        if (!before) return undefined;
        if (before.state === 'recording' && !isSilent(await lastRunningOf(trx, before.nodeId), now)) return 'open';
        const row = await trx.deleteFrom('recording').where('id', '=', id).returningAll().executeTakeFirstOrThrow();
        recordingReader.forget(trx, { ...row, present_token: null });
        const change = { before: auditFields(before), after: null };
        await writeAudit(trx, { accountId, ...subjectOf(before), action: 'recording_deleted', ...change }, now);
        return before;
      }),
    );
  }

  async find(accountId: string, id: string): Promise<RecordingRecord | undefined> {
    const row = await this.#db
      .selectFrom('recording')
      .selectAll()
      .select(presentToken)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && recordingReader.show(this.#db, row);
  }

  async findAny(id: string): Promise<RecordingRecord | undefined> {
    return await presentRecording(this.#db, id);
  }

  async list(accountId: string, { page, itemsOnPage, streamName, state }: RecordingsQuery): Promise<RecordingListPage> {
    let chosen = this.#db.selectFrom('recording').where('account_id', '=', accountId);
    if (streamName !== undefined) chosen = chosen.where('stream_name', '=', streamName);
    if (state !== undefined) chosen = chosen.where('state', '=', state);
    const rows = await chosen
      .selectAll()
      .select(presentToken)
      .orderBy('started_on', 'desc')
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await chosen.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { recordings: recordingReader.showAll(this.#db, rows), total: Number(total) };
  }

  async findLatest(
    accountId: string,
    streamName: string,
    sourceId: string | null | undefined,
  ): Promise<RecordingRecord | undefined> {
    let chosen = this.#db
      .selectFrom('recording')
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .where('kind', '=', 'broadcast')
      .where('state', '=', 'ready');
    if (sourceId !== undefined) chosen = chosen.where('source_id', sourceId === null ? 'is' : '=', sourceId);
    const row = await chosen
      .selectAll()
      .select(presentToken)
      .orderBy(sql`case when source_id is null then 0 else 1 end`)
      .orderBy('started_on', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return recordingReader.find(this.#db, row);
  }

  async listUnfinished(nodeId: string): Promise<readonly RecordingRecord[]> {
    const rows = await this.#db
      .selectFrom('recording')
      .selectAll()
      .select(presentToken)
      .where('node_id', '=', nodeId)
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['recording', 'finishing']),
          eb.and([eb('state', '=', 'ready'), eb('parts', '<>', '[]')]),
        ]),
      )
      .orderBy('started_on')
      .orderBy('id')
      .execute();
    return recordingReader.readAll(this.#db, rows);
  }

  async listInFolder(nodeId: string, limit: number): Promise<readonly RecordingRecord[]> {
    const rows = await this.#db
      .selectFrom('recording')
      .selectAll()
      .select(presentToken)
      .where('node_id', '=', nodeId)
      .where('state', '=', 'ready')
      .where('location', '=', 'folder')
      .orderBy('started_on')
      .orderBy('id')
      .limit(limit)
      .execute();
    return recordingReader.readAll(this.#db, rows);
  }

  async listExpired(...[time, limit, after]: Parameters<RecordingStore['listExpired']>) {
    let expired = this.#db
      .selectFrom('recording')
      .selectAll()
      .select(presentToken)
      .where('expires_on', '<=', time)
      .where('state', 'in', ['ready', 'failed']);
    if (after) {
      const { expiresOn, id } = after;
      expired = expired.where((eb) =>
        eb.or([eb('expires_on', '>', expiresOn), eb.and([eb('expires_on', '=', expiresOn), eb('id', '>', id)])]),
      );
    }
    const rows = await expired.orderBy('expires_on').orderBy('id').limit(limit).execute();
    return recordingReader.readAll(this.#db, rows);
  }

  async ofServer(nodeId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('recording')
      .select('id')
      .where('id', 'in', ids)
      .where('node_id', '=', nodeId)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  async noteRunning(nodeId: string, time: number): Promise<void> {
    await this.#db
      .insertInto('recording_server')
      .values({ node_id: nodeId, running_on: time })
      .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ running_on: time }))
      .execute();
  }

  async lastRunning(nodeId: string): Promise<number | undefined> {
    return await lastRunningOf(this.#db, nodeId);
  }

  async usage(accountId: string): Promise<RecordingUsage> {
    return await recordingUsage(this.#db, accountId);
  }

  async settings(accountId: string): Promise<RecordingSettings> {
    return await recordingSettings(this.#db, accountId);
  }

  async updateSettings(accountId: string, change: Partial<RecordingSettings>, now: number): Promise<RecordingSettings> {
    return await changeRecordingSettings(this.#db, accountId, { change, now });
  }
}

/** Everything but the expiry and the server, which has to be the same. */
function updateOf(db: Pick<Database, 'updateTable'>, recording: RecordingRecord) {
  const { id, account_id: _, expires_on: __, node_id, ...values } = rowOf(recording);
  return db.updateTable('recording').set(values).where('id', '=', id).where('node_id', '=', node_id);
}

async function lastRunningOf(db: Pick<Database, 'selectFrom'>, nodeId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('recording_server')
    .select('running_on')
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  return storedTime(row?.running_on) ?? undefined;
}

const subjectOf = ({ id, streamName }: RecordingRecord) => ({
  target: { kind: 'recording', id },
  targetName: streamName,
});

function auditFields({ kind, streamName, sourceId, startedOn }: RecordingRecord): AuditFields {
  return { kind, streamName, sourceId, startedOn: isoOrNull(startedOn) };
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
