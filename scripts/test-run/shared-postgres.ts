import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, typescriptArguments } from '../run-command.ts';

const SERVER = join(root, 'test/support/shared-postgres.ts');
const USES_ONE = /\bsuitePostgres\(/;

/**
 * Starts a PostgreSQL server that several test files use, each with databases of its own. They find it by the variable
 * TEST_POSTGRES. Without it, each file starts a server.
 * @returns what ends it
 */
export async function sharedPostgres(files: readonly string[]): Promise<() => void> {
  const users = files.filter((file) => USES_ONE.test(readFileSync(join(root, file), 'utf8')));
  if (users.length < 2) return () => {};
  const child = spawn(process.execPath, [...typescriptArguments, SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // An interrupt of the run would end it without its server.
    detached: true,
  });
  for await (const url of createInterface(child.stdout)) {
    process.env['TEST_POSTGRES'] = url;
    break;
  }
  return () => child.stdin.end();
}
