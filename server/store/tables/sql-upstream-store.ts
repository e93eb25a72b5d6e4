import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { MAX_UPSTREAMS, upstreamSoftware } from '../../../src/wire/management/upstream.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import { originOf, type Upstream, type UpstreamFields } from '../../upstream/upstream.js';
import type { UpstreamKey, UpstreamStore } from '../../upstream/upstream-store.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import type { Database } from '../schema.js';
import type { AccountUpstreamTable } from '../schema/upstream-tables.js';
import { writeAudit } from './sql-audit-store.js';
import type { TokenSeal } from './sql-token-rows.js';

export class SqlUpstreamStore implements UpstreamStore {
  readonly #db: Database;
  readonly #seal: TokenSeal;

  constructor(db: Database, seal: TokenSeal) {
    this.#db = db;
    this.#seal = seal;
  }

  async all(): Promise<readonly Upstream[]> {
    const rows = await this.#db.selectFrom('account_upstream').selectAll().execute();
    return rows.map((row) => this.#upstreamOf(row));
  }

  async list(accountId: string): Promise<readonly Upstream[]> {
    const rows = await this.#db
      .selectFrom('account_upstream')
      .where('account_id', '=', accountId)
      .selectAll()
      .orderBy('stream_name')
      .execute();
    return rows.map((row) => this.#upstreamOf(row));
  }

  async set(...[key, decide, now]: Parameters<UpstreamStore['set']>): Promise<Upstream | 'full'> {
    const { accountId } = key;
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the account on every database, so that what is read with it is current.
      await trx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
      const rows = await trx.selectFrom('account_upstream').where('account_id', '=', accountId).selectAll().execute();
      const row = rows.find(({ stream_name }) => stream_name === rowName(key));
      if (!row && rows.length >= MAX_UPSTREAMS) return 'full';
      const before = row && this.#upstreamOf(row);
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
        const audited = { before: auditFields(this.#upstreamOf(row)), after: null };
        await writeAudit(trx, { accountId, action: 'upstream_removed', target: targetOf(key), ...audited }, now);
        return true;
      }),
    );
  }

  /** PostgreSQL returns a bigint as text. */
  #upstreamOf(row: Selectable<AccountUpstreamTable>): Upstream {
    const key = { accountId: row.account_id, streamName: row.stream_name === '' ? null : row.stream_name };
    const settings: Pick<UpstreamFields, 'urls' | 'tokens'> = JSON.parse(
      this.#seal.open(row.settings_sealed, contextOf(key)),
    );
    return { ...key, ...settings, software: upstreamSoftware.parse(row.software), updatedOn: Number(row.updated_on) };
  }
}

const rowName = ({ streamName }: UpstreamKey): string => streamName ?? '';
const contextOf = (key: UpstreamKey): string => `upstream ${key.accountId}/${rowName(key)}`;
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
