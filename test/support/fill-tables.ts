import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tablesOf } from '../../server/store/sqlite/folder-contents.js';

/** Texts that a database could take for something else. */
const TEXTS = ['', 'NULL', '{"a","b"}', `it's "quoted" \\ and\nbroken`, 'ünï🎥', '\\x00', '{}', ' spaces '] as const;
const ROWS = TEXTS.length;

/** Tables with rows that a server depends on. */
const OWN = /^kysely_|^(?:seal_check|schema_version)$/;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string | null;
}

/** Adds rows to every table of the SQLite database of a data folder, with a value or NULL in every column. */
export function fillTables(dataDir: string): void {
  const sqlite = new DatabaseSync(join(dataDir, 'streamgate.db'));
  try {
    sqlite.exec('pragma foreign_keys = off');
    for (const table of tablesOf(sqlite).filter((name) => !OWN.test(name))) fill(sqlite, table);
    if (sqlite.prepare('pragma foreign_key_check').get() !== undefined) throw new Error('a reference is wrong');
  } finally {
    sqlite.close();
  }
}

/** Columns that refer to others have the value of the same row there, because each row has its number in its key. */
function fill(sqlite: DatabaseSync, table: string): void {
  const columns = sqlite.prepare('select * from pragma_table_info(?)').all(table) as unknown as Column[];
  const references = sqlite.prepare('select * from pragma_foreign_key_list(?)').all(table) as unknown as Reference[];
  const insert = sqlite.prepare(
    `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join()}) values (${columns.map(() => '?').join()})`,
  );
  for (let row = 1; row <= ROWS; row += 1) {
    insert.run(
      ...columns.map(({ name, type, notnull, pk }) => {
        const isNumber = /int/i.test(type);
        const reference = references.find(({ from }) => from === name);
        if (reference) return isNumber ? 1_000 + row : `row ${row}`;
        if (pk || /(?:^|_)(?:id|hash|name|subject|address|key)$/.test(name))
          return isNumber ? 1_000 + row : `row ${row}`;
        if (!notnull && row % 2) return null;
        return isNumber ? 1_700_000_000_000 % (1_000_000 * row) : TEXTS[row % ROWS]!;
      }),
    );
  }
}
