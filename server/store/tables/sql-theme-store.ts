import type { Insertable, Selectable } from 'kysely';
import { logoType, themeColor } from '../../../src/wire/management/theme.js';
import { logoPath, NO_THEME, type Theme } from '../../accounts/theme/theme.js';
import type { ThemeStore } from '../../accounts/theme/theme-store.js';
import { ColumnFault, type Columns } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
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
    return themeReader.find(this.#db, row);
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
      const before = themeReader.read(trx, row);
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
      const before = auditFields(accountId, themeReader.read(trx, row));
      themeReader.forget(trx, row);
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

type ThemeColumns = Columns<Selectable<AccountThemeTable>>;

/** The look of the product in place of what cannot be read. */
const themeReader = new RowReader<Selectable<AccountThemeTable>, Theme>({
  table: 'account_theme',
  key: ['account_id'],
  read: (row) => ({
    name: row.orNull('name', row.text),
    accent: row.tolerate(() => colorOf(row, 'accent'), null),
    background: row.tolerate(() => colorOf(row, 'background'), null),
    logo: row.isNull('logo_base64') ? null : row.tolerate(() => logoOf(row), null),
  }),
});

function colorOf(row: ThemeColumns, name: 'accent' | 'background'): string | null {
  const color = row.orNull(name, row.text);
  if (color === null || themeColor.safeParse(color).success) return color;
  throw new ColumnFault(name, 'is not a colour');
}

function logoOf(row: ThemeColumns): NonNullable<Theme['logo']> {
  return { type: row.oneOf('logo_type', logoType.options), bytes: Buffer.from(row.text('logo_base64'), 'base64') };
}
