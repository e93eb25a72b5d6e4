import type { Insertable, Selectable } from 'kysely';
import { logoType } from '../../../src/wire/management/theme.js';
import { logoPath, NO_THEME, type Theme } from '../../accounts/theme/theme.js';
import type { ThemeStore } from '../../accounts/theme/theme-store.js';
import type { Database } from '../schema.js';
import type { AccountThemeTable } from '../schema/account-tables.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlThemeStore implements ThemeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(accountId: string): Promise<Theme | undefined> {
    const row = await this.#db
      .selectFrom('account_theme')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && themeOf(row);
  }

  async update(accountId: string, change: Partial<Theme>, now: number): Promise<Theme> {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the row on every database, so that what is read with it is current.
      const row = await trx
        .insertInto('account_theme')
        .values(rowOf(accountId, NO_THEME, now))
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ updated_on: now }))
        .returningAll()
        .executeTakeFirstOrThrow();
      const before = themeOf(row);
      const after = { ...before, ...change };
      const { account_id: _, ...values } = rowOf(accountId, after, now);
      await trx.updateTable('account_theme').set(values).where('account_id', '=', accountId).execute();
      const fields = { before: auditFields(accountId, before), after: auditFields(accountId, after) };
      await writeAudit(trx, { ...subject(accountId), action: 'theme_changed', ...fields }, now);
      return after;
    });
  }

  async remove(accountId: string, now: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .deleteFrom('account_theme')
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return false;
      const before = auditFields(accountId, themeOf(row));
      await writeAudit(trx, { ...subject(accountId), action: 'theme_removed', before, after: null }, now);
      return true;
    });
  }
}

const subject = (accountId: string) => ({ accountId, target: { kind: 'theme', id: accountId } });

/** The image itself would fill the log: its path names it. */
function auditFields(accountId: string, { name, accent, background, logo }: Theme) {
  return { name, accent, background, logo: logo && logoPath(accountId, logo) };
}

function rowOf(
  accountId: string,
  { name, accent, background, logo }: Theme,
  now: number,
): Insertable<AccountThemeTable> {
  return {
    account_id: accountId,
    name,
    accent,
    background,
    logo_type: logo?.type ?? null,
    logo_base64: logo?.bytes.toString('base64') ?? null,
    updated_on: now,
  };
}

function themeOf({ name, accent, background, logo_type, logo_base64 }: Selectable<AccountThemeTable>): Theme {
  const logo =
    logo_base64 === null ? null : { type: logoType.parse(logo_type), bytes: Buffer.from(logo_base64, 'base64') };
  return { name, accent, background, logo };
}
