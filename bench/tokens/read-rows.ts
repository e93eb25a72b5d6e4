// The lower limit of loading tokens: reads all their rows with node:sqlite and discards them.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../../server/store/sqlite/sqlite-database.js';

/** The cost of reading. */
export interface RowsRead {
  readonly ms: number;
  /** User and system time. */
  readonly cpuMs: number;
  readonly rows: number;
}

const cpuBefore = process.cpuUsage();
const began = performance.now();
const sqlite = new DatabaseSync(join(process.argv[2]!, DATABASE_FILE));
let rows = 0;
for (const table of ['select * from token order by id', 'select * from token_stream order by token_id, position']) {
  for (const _row of sqlite.prepare(table).iterate()) rows += 1;
}
sqlite.close();
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
const read: RowsRead = { ms, cpuMs: (user + system) / 1_000, rows };
process.send!(read);
process.disconnect();
