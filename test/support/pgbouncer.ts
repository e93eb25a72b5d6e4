import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.ts';
import type { Cleanup } from './cleanup.ts';
import { listening } from './listening.ts';
import { freePort } from './free-port.ts';
import { endProgram, requireRunning } from './program.ts';

/** PgBouncer refuses to run as root. This is the id of the user `nobody`. */
const UNPRIVILEGED = 65_534;

export interface TestPooler {
  /** The URL of a database through the pooler. */
  urlOf(databaseUrl: string): string;
}

/** Runs PgBouncer in front of a PostgreSQL server until the cleanup. On Debian, as root, installs it if it is missing. */
export async function startPgbouncer(
  cleanup: Cleanup,
  { adminUrl, mode }: { readonly adminUrl: string; readonly mode: 'session' | 'transaction' },
): Promise<TestPooler> {
  const program = await toolPath('pgbouncer');
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-pgbouncer-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const { hostname, port: behind } = new URL(adminUrl);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    max_client_conn: 200,
    default_pool_size: 40,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${hostname} port=${behind} user=postgres`;
  writeFileSync(config, `[databases]\n${database}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const pooler = spawn(program, [config], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  pooler.stderr.setEncoding('utf8').on('data', (more) => (output = `${output}${more}`.slice(-4_000)));
  cleanup.after(async () => {
    await endProgram(pooler);
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(port, () => requireRunning(pooler, output));
  return { urlOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(port) }).href };
}
