import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import { MAX_UPSTREAMS, upstreamSoftware } from '../../../src/wire/management/upstream.js';
import { streamIdOf } from '../../../src/wire/stream-id.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import {
  isReadable,
  originOf,
  type StoredUpstream,
  type Upstream,
  type UpstreamFields,
} from '../../upstream/upstream.js';
import type { UpstreamKey, UpstreamStore } from '../../upstream/upstream-store.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { AccountUpstreamTable } from '../schema/upstream-tables.js';
import { writeAudit } from './sql-audit-store.js';
import type { TokenSeal } from './sql-token-rows.js';

const byCall = <Value extends z.ZodMiniType>(value: Value) => z.object({ publish: value, view: value, status: value });
/** What is encrypted. */
const settings = z.object({ urls: byCall(z.url()), tokens: byCall(z.nullable(z.string())) });

export class SqlUpstreamStore implements UpstreamStore {
  readonly #db: Database;
  readonly #seal: TokenSeal;
  readonly #reader: RowReader<Selectable<AccountUpstreamTable>, StoredUpstream>;

  constructor(db: Database, seal: TokenSeal) {
    this.#db = db;
    this.#seal = seal;
    this.#reader = upstreamReader(seal);
  }

  async all(): Promise<readonly StoredUpstream[]> {
    const rows = await this.#db.selectFrom('account_upstream').selectAll().execute();
    return this.#reader.readAll(this.#db, rows);
  }

  async list(accountId: string): Promise<readonly StoredUpstream[]> {
    const rows = await this.#db
      .selectFrom('account_upstream')
      .where('account_id', '=', accountId)
      .selectAll()
      .orderBy('stream_name')
      .execute();
    return this.#reader.readAll(this.#db, rows);
  }

  async set(...[key, decide, now]: Parameters<UpstreamStore['set']>): Promise<Upstream | 'full'> {
    const { accountId } = key;
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the account on every database, so that what is read with it is current.
      await trx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
      const rows = await trx.selectFrom('account_upstream').where('account_id', '=', accountId).selectAll().execute();
      const row = rows.find(({ stream_name }) => stream_name === rowName(key));
      if (!row && rows.length >= MAX_UPSTREAMS) return 'full';
      const stored = this.#reader.find(trx, row);
      const before = stored && isReadable(stored) ? stored : undefined;
      const fields = decide(before);
      if (before && isDeepStrictEqual(before, { ...fields, updatedOn: before.updatedOn })) return before;
      const values = {
        software: fields.software,
        settings_sealed: this.#seal.seal(JSON.stringify({ urls: fields.urls, tokens: fields.tokens }), contextOf(key)),
        updated_on: now,
      };
      await trx
        .insertInto('account_upstream')
        .values({ account_id: accountId, stream_name: rowName(key), ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'stream_name']).doUpdateSet(values))
        .execute();
      const audited = { before: before ? auditFields(before) : null, after: auditFields(fields) };
      if (row) this.#reader.forget(trx, row);
      await writeAudit(trx, { accountId, action: 'upstream_set', target: targetOf(key), ...audited }, now);
      return { ...fields, updatedOn: now };
    });
  }

  async remove(key: UpstreamKey, now: number): Promise<boolean> {
    const { accountId } = key;
    return await allowOnFullDisk(() =>
      this.#db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('account_upstream')
          .where('account_id', '=', accountId)
          .where('stream_name', '=', rowName(key))
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        const removed = this.#reader.read(trx, row);
        this.#reader.forget(trx, row);
        const audited = { before: isReadable(removed) ? auditFields(removed) : null, after: null };
        await writeAudit(trx, { accountId, action: 'upstream_removed', target: targetOf(key), ...audited }, now);
        return true;
      }),
    );
  }
}

/** Always makes an upstream, so that its owner sees it, and this server does not carry its streams by mistake. */
function upstreamReader(seal: TokenSeal): RowReader<Selectable<AccountUpstreamTable>, StoredUpstream> {
  return new RowReader({
    table: 'account_upstream',
    key: ['account_id', 'stream_name'],
    read(row) {
      const streamName = row.text('stream_name');
      const key = { accountId: row.text('account_id'), streamName: streamName === '' ? null : streamName };
      const fields = row.tolerate(
        () => ({
          ...row.sealedJson('settings_sealed', { seal, context: contextOf(key), schema: settings }),
          software: row.oneOf('software', upstreamSoftware.options),
          updatedOn: row.time('updated_on'),
        }),
        undefined,
      );
      return fields ? { ...key, ...fields } : { ...key, unreadable: true };
    },
  });
}

const rowName = ({ streamName }: UpstreamKey): string => streamName ?? '';
/** Of an account, the context of its streams without a name: an account id has no slash, so no stream has the same. */
const contextOf = ({ accountId, streamName }: UpstreamKey): string =>
  `upstream ${streamName === null ? `${accountId}/` : streamIdOf(accountId, streamName)}`;
const targetOf = (key: UpstreamKey) => ({ kind: 'upstream', id: rowName(key) });

/** Some addresses contain a secret, and the tokens are some: only the origins are shown to those who may read changes. */
function auditFields({ software, urls, tokens }: UpstreamFields): AuditFields {
  return {
    software,
    publish: originOf(urls.publish),
    view: originOf(urls.view),
    status: originOf(urls.status),
    tokens: Object.entries(tokens).flatMap(([call, token]) => (token === null ? [] : [call])),
  };
}
