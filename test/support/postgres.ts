import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

const VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. Nobody's id: the server owns its folder and nothing else. */
const UNPRIVILEGED = 65_534;

export interface TestPostgres {
  /** Of a database that is empty and of nobody else. */
  newDatabase(): Promise<string>;
  /** Of the database every server has. */
  readonly adminUrl: string;
  kill(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of its own, in a temporary folder and on a free port. `durable` keeps its writes through a crash. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const bin = await binaries();
  const folder = mkdtempSync('/tmp/streamgate-pg-');
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    user,
  );

  const port = await freePort();
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const adminUrl = urlOf('postgres');
  let server: ReturnType<typeof spawn>;
  const start = async () => {
    const safety = durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
    const place = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
    server = spawn(join(bin, 'postgres'), [...place, '-c', 'max_connections=200', ...safety], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    await answering(adminUrl);
  };
  const kill = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  await start();

  let made = 0;
  return {
    adminUrl,
    start,
    kill,
    async newDatabase() {
      const name = `test_${(made += 1)}`;
      await query(adminUrl, `create database ${name}`);
      return urlOf(name);
    },
    async stop() {
      await kill('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Debian's place for them. They are installed where that is possible: without them nothing would be tested. */
async function binaries(): Promise<string> {
  const found = findBinaries();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const patient = ['-o', 'DPkg::Lock::Timeout=300'];
    const install = [...patient, 'install', '-y', '--no-install-recommends', 'postgresql'];
    await run('/usr/bin/apt-get', install, {}).catch(async () => {
      // Another test file may be at it as well: what counts is whether they are there in the end.
      await run('/usr/bin/apt-get', [...patient, 'update'], {}).catch(() => undefined);
      await run('/usr/bin/apt-get', install, {}).catch(() => undefined);
    });
  }
  return findBinaries() ?? fail();
}

function fail(): never {
  throw new Error(
    `these tests need the PostgreSQL server's programs under ${VERSIONS}: apt-get install -y --no-install-recommends postgresql`,
  );
}

function findBinaries(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const versions = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(VERSIONS, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

async function run(program: string, args: readonly string[], user: { uid?: number; gid?: number }): Promise<void> {
  const child = spawn(program, args, { ...user, cwd: '/tmp', stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
}

async function answering(url: string): Promise<void> {
  for (;;) {
    try {
      return await query(url, 'select 1');
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
