import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A column that no key and no reference of the database protects. */
export interface StoredColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export interface StoredTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly StoredColumn[];
}

/** A value of a row in place of the one that was written. */
export interface Damage {
  readonly column: StoredColumn;
  /** Of all rows that may be damaged, by their key: this one. */
  readonly row: number;
  readonly value: string | bigint;
}

/** A database with the tables of the server, which a test damages without the server. */
export interface DamagedDatabase {
  tables(): Promise<readonly StoredTable[]>;
  /** @param spared a condition in SQL: the rows that are left as they are @returns how many others there are */
  damage(table: StoredTable, spared: string, damages: readonly Damage[]): Promise<number>;
  /** As another process does it. */
  disableToken(id: number): Promise<void>;
  close(): Promise<void>;
}

const chosen = ({ name, key }: StoredTable, spared: string): string =>
  `select ${key.map((column) => `"${column}"`).join()} from "${name}" where not (${spared}) order by ${key.map((column) => `"${column}"`).join()}`;

/** The hash is written too, because triggers follow it. */
const DISABLED = 'update token set is_active = 0, revision = revision + 1, value_hash = value_hash where id = $1';

const keyIs = ({ key }: StoredTable, parameter: (number: number) => string): string =>
  key.map((column, index) => `"${column}" = ${parameter(index)}`).join(' and ');

export function damagedSqlite(file: string): DamagedDatabase {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('pragma foreign_keys = off');
  return {
    async tables() {
      const names = sqlite
        .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`)
        .all();
      return names.map(({ name }): StoredTable => {
        const table = String(name);
        const all = sqlite.prepare('select name, type, pk from pragma_table_info(?)').all(table);
        const references = sqlite.prepare('select "from" from pragma_foreign_key_list(?)').all(table);
        const referring = new Set(references.map(({ from }) => String(from)));
        const key = all.filter(({ pk }) => Number(pk) > 0).map((column) => String(column['name']));
        const free = all.filter(({ pk, name: column }) => Number(pk) === 0 && !referring.has(String(column)));
        const columns = free.map((column) => ({ table, name: String(column['name']), type: String(column['type']) }));
        return { name: table, key: key.length > 0 ? key : ['rowid'], columns };
      });
    },
    async damage(table, spared, damages) {
      const rows = sqlite.prepare(chosen(table, spared)).all();
      for (const { column, row, value } of damages.slice(0, rows.length)) {
        const key = table.key.map((name) => rows[row]![name]!);
        sqlite
          .prepare(`update "${table.name}" set "${column.name}" = ? where ${keyIs(table, () => '?')}`)
          .run(value, ...key);
      }
      return rows.length;
    },
    async disableToken(id) {
      sqlite.prepare(DISABLED.replace('$1', '?')).run(id);
    },
    close: async () => sqlite.close(),
  };
}

export async function damagedPostgres(url: string): Promise<DamagedDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async tables() {
      const { rows } = await client.query<{ table: string; name: string; type: string; kinds: string[] | null }>(`
        select c.table_name as table, c.column_name as name, c.data_type as type, (
          select array_agg(k.contype::text) from pg_constraint k join pg_attribute a
            on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
          where k.conrelid = quote_ident(c.table_name)::regclass and a.attname = c.column_name) as kinds
        from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`);
      return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]): StoredTable => {
        const isOf = (kinds: string[] | null, kind: string) => kinds?.includes(kind) ?? false;
        const key = columns.filter(({ kinds }) => isOf(kinds, 'p')).map((column) => column.name);
        const free = columns.filter(({ kinds }) => !isOf(kinds, 'p') && !isOf(kinds, 'f'));
        return { name, key: key.length > 0 ? key : ['ctid'], columns: free };
      });
    },
    async damage(table, spared, damages) {
      const { rows } = await client.query(chosen(table, spared));
      for (const { column, row, value } of damages.slice(0, rows.length)) {
        const key = table.key.map((name) => rows[row]![name]);
        await client.query(
          `update "${table.name}" set "${column.name}" = $1 where ${keyIs(table, (index) => `$${index + 2}`)}`,
          [String(value), ...key],
        );
      }
      return rows.length;
    },
    async disableToken(id) {
      await client.query(DISABLED, [id]);
    },
    close: () => client.end(),
  };
}

const LONGEST = 2n ** 63n - 1n;

/** What may be stored in a column that this program never wrote: one value for each kind of damage. */
export function damagesOf(type: string, isSqlite: boolean): readonly (string | bigint)[] {
  if (isSqlite) return /int/i.test(type) ? ['damaged', LONGEST] : ['☠ {"', '{}'];
  if (type === 'bigint') return [LONGEST, -LONGEST];
  if (type === 'integer') return [2n ** 31n - 1n, -(2n ** 31n - 1n)];
  if (type.startsWith('timestamp')) return ['infinity', '-infinity'];
  if (type === 'boolean') return [];
  return ['☠ {"', '{}'];
}
