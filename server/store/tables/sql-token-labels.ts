import type { TokenLabels } from '../../tokens/token-labels.js';
import type { Database } from '../schema.js';

/** From the database, for a process that has no tokens in memory. Needs no key. */
export class SqlTokenLabels implements TokenLabels {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async of(accountId: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('token')
      .select(['id', 'label'])
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .where('label', '!=', '')
      .execute();
    return new Map(rows.map(({ id, label }) => [Number(id), label]));
  }
}
