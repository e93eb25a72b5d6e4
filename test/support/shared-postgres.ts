// A PostgreSQL server for all test files of a run. Prints its URL, and ends when its standard input ends.
import { once } from 'node:events';
import { openDatabase } from '../../server/store/database.js';
import { query, startPostgres } from './postgres.js';
import { MIGRATED } from './suite-postgres.js';

const server = await startPostgres({ connections: 1_000 });
try {
  await query(server.adminUrl, `create database ${MIGRATED}`);
  const db = await openDatabase('', server.adminUrl.replace(/postgres$/, MIGRATED));
  // A database with connections cannot be copied.
  await db.destroy();
  process.stdout.write(`${server.adminUrl}\n`);
  process.stdin.resume();
  await once(process.stdin, 'close');
} finally {
  await server.stop();
}
