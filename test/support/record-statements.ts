/**
 * Preloaded into tests (`NODE_OPTIONS`): adds the statements that they execute on PostgreSQL to the file `STATEMENTS`, for
 * the tests of the next version. See "A release" in CONTRIBUTING.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const file = process.env['STATEMENTS'];
const OF_STORES = /^\s*(?:select|insert|update|delete|with)\b(?!.*(?:kysely_migration|pg_advisory_lock\())/is;
/** More rows than one, and a list of values, have as many parameters as the test has values. */
const MOST_PARAMETERS = 40;

if (file) {
  const statements = new Set<string>();
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]): unknown {
    const [text, values] = args;
    if (typeof text === 'string' && Array.isArray(values) && values.length <= MOST_PARAMETERS && OF_STORES.test(text)) {
      statements.add(text.replaceAll(/\s+/g, ' ').trim());
    }
    return query.apply(this, args);
  };
  Object.assign(pg.Client.prototype, { query: recording });
  process.on('exit', () => {
    if (statements.size === 0) return;
    const all = new Set([...stored(file), ...statements]);
    writeFileSync(file, `${JSON.stringify([...all].toSorted(), null, 2)}\n`);
  });
}

function stored(path: string): string[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
}
