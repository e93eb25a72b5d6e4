import { sql, type Selectable } from 'kysely';
import { FAILURES_KEPT_MS, judgeAttempt, waitOf, type FailedAttempts } from '../../accounts/passwords/attempt-delay.js';
import type { AttemptStore, AttemptSubject } from '../../accounts/passwords/attempt-store.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { FailedAttemptTable } from '../schema/credential-tables.js';

const attemptReader = new RowReader<Selectable<FailedAttemptTable>, FailedAttempts>({
  table: 'failed_attempt',
  key: ['subject'],
  read: (row) => ({
    failures: row.count('failures'),
    lastOn: row.time('last_on'),
    waitsUntil: row.time('waits_until'),
  }),
});

/** In place of failures that cannot be read: one attempt, and then the longest wait. The row is written anew. */
const MANY = { failures: 100, waitsUntil: 0 };

export class SqlAttemptStore implements AttemptStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(subjects: readonly AttemptSubject[], now: number): Promise<number | undefined> {
    // Read first: what must wait locks no row and leaves none, however many names somebody guesses.
    const known = await this.#read(subjects);
    const waits = known.flatMap((before) => waitOf(before, now) ?? []);
    if (waits.length > 0) return Math.max(...waits);
    return await this.#count(subjects, now);
  }

  async #read(subjects: readonly AttemptSubject[]): Promise<readonly FailedAttempts[]> {
    const keys = subjects.map(({ key }) => key);
    const rows = await this.#db.selectFrom('failed_attempt').selectAll().where('subject', 'in', keys).execute();
    return attemptReader.readAll(this.#db, rows);
  }

  async #count(subjects: readonly AttemptSubject[], now: number): Promise<number | undefined> {
    await this.#db
      .deleteFrom('failed_attempt')
      .where('last_on', '<=', now - FAILURES_KEPT_MS)
      .execute();
    const ordered = inOrder(subjects);
    return await this.#db.transaction().execute(async (trx) => {
      const found = [];
      for (const { key, rule } of ordered) {
        // Writing first locks the row, also one that is not there yet.
        const row = await trx
          .insertInto('failed_attempt')
          .values({ subject: key, failures: 0, last_on: now, waits_until: 0 })
          .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject: key }))
          .returningAll()
          .executeTakeFirstOrThrow();
        const before = attemptReader.find(trx, row) ?? { ...MANY, lastOn: now };
        found.push({ key, verdict: judgeAttempt(before, rule, now) });
      }
      const waits = found.flatMap(({ verdict }) => (verdict.name === 'wait' ? [verdict.until] : []));
      if (waits.length > 0) return Math.max(...waits);
      for (const { key, verdict } of found) {
        if (verdict.name !== 'try') continue;
        const { failures, lastOn, waitsUntil } = verdict.next;
        const next = { failures, last_on: lastOn, waits_until: waitsUntil };
        await trx.updateTable('failed_attempt').set(next).where('subject', '=', key).execute();
      }
      return undefined;
    });
  }

  async succeed(subjects: readonly AttemptSubject[], forget: AttemptSubject): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const { key } of inOrder(subjects)) {
        if (key === forget.key) await trx.deleteFrom('failed_attempt').where('subject', '=', key).execute();
        else {
          await trx
            .updateTable('failed_attempt')
            .set({ failures: sql`failures - 1`, waits_until: 0 })
            .where('subject', '=', key)
            .where('failures', '>', 0)
            .execute();
        }
      }
    });
  }
}

/** Rows are always locked in the same order, so that two transactions never wait for each other. */
function inOrder(subjects: readonly AttemptSubject[]): readonly AttemptSubject[] {
  return subjects.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
