import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { toolPath } from '../../scripts/tools.js';
import { temporaryRoot } from './data-folder.js';
import { freePort } from './free-port.js';
import { until, within } from './media/until.js';
import { endProgram, hasEnded } from './program.js';

/** PostgreSQL refuses to run as root. This is the id of the user `nobody`. */
const UNPRIVILEGED = 65_534;
/** How long the server may take to answer, in ms. */
const ANSWER_MS = 60_000;
/** How often a failed start is repeated, every 100 ms. */
const ATTEMPTS = 100;

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string>;
  /** The URL of the database `postgres`, which every server has. */
  readonly adminUrl: string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Suspends every process of the server. Connections stay open without answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Starts a standby that has everything this server has, and gets every later write. From then on a durable server
   * acknowledges a write when the standby has it too.
   */
  replica(): Promise<TestReplica>;
}

export interface TestReplica extends TestPostgres {
  /** Ends the replication. From then on the server accepts writes. */
  promote(): Promise<void>;
}

export interface TestPostgresOptions {
  /** Keeps acknowledged writes when its processes are killed. What the death of a machine leaves is not tested. */
  readonly durable?: boolean;
  /** A folder for the tables. The log of writes (WAL), without which PostgreSQL ends, is elsewhere. */
  readonly disk?: string;
  /** How many connections it accepts. */
  readonly connections?: number;
}

/** How to run a server, and where its files are. */
interface Installation {
  readonly bin: string;
  readonly user: { uid?: number; gid?: number };
  readonly folder: string;
  readonly data: string;
  readonly durable: boolean;
  readonly connections: number;
}

/** Starts a PostgreSQL server in a temporary folder and on a free port. */
export async function startPostgres({
  durable = false,
  disk,
  connections = 200,
}: TestPostgresOptions = {}): Promise<TestPostgres> {
  const bin = await toolPath('postgres');
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const folder = ownFolder(user);
  if (disk !== undefined && user.uid !== undefined) chownSync(disk, user.uid, user.gid);
  const data = join(disk ?? folder, 'data');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
  if (disk !== undefined) options.push('--waldir', join(folder, 'wal'));
  await run(join(bin, 'initdb'), options, user);
  return await runPostgres({ bin, user, folder, data, durable, connections });
}

function ownFolder({ uid, gid }: Installation['user']): string {
  const folder = mkdtempSync(join(temporaryRoot(), 'streamgate-pg-'));
  if (uid !== undefined) chownSync(folder, uid, gid!);
  return folder;
}

async function runPostgres(installation: Installation): Promise<TestPostgres> {
  const { bin, user, folder, data, durable, connections } = installation;
  const port = await freePort();
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const adminUrl = urlOf('postgres');
  let server: ChildProcess;
  const start = async () => {
    const safety = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
    if (!durable) safety.push('-c', 'synchronous_commit=off');
    const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
    for (let left = ATTEMPTS; ; left -= 1) {
      server = spawn(join(bin, 'postgres'), [...options, '-c', `max_connections=${connections}`, ...safety], {
        ...user,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let output = '';
      server.stderr?.on('data', (text) => (output = `${output}${text}`.slice(-2_000)));
      if (await answers(adminUrl, server, data)) return;
      // After a kill, the old processes may still use the shared memory.
      if (left === 0) throw new Error(`PostgreSQL does not start: ${output}`);
      await pause(100);
    }
  };
  const kill = (signal: NodeJS.Signals) => endProgram(server, signal);
  await start();

  // Each connection has a process, which is a child of the server process.
  let frozen: number[] = [];
  const freeze = async () => {
    frozen = [server.pid!];
    server.kill('SIGSTOP');
    // One that is stopped makes no more children. It may have begun to make one before.
    await until('the server process stands still', async () => (await stateOf(server.pid!)) === 'T');
    frozen.push(...(await childrenOf(server.pid!)));
    for (const pid of frozen) signalTo(pid, 'SIGSTOP');
  };
  const thaw = async () => {
    for (const pid of frozen.splice(0).toReversed()) signalTo(pid, 'SIGCONT');
  };

  let made = 0;
  return {
    adminUrl,
    start,
    kill,
    freeze,
    thaw,
    async newDatabase() {
      const name = `test_${(made += 1)}`;
      await query(adminUrl, `create database ${name}`);
      return urlOf(name);
    },
    async stop() {
      await thaw();
      await kill('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
    async replica() {
      const standby = { ...installation, folder: ownFolder(user) };
      const copy = { ...standby, data: join(standby.folder, 'data') };
      const options = ['-D', copy.data, '-d', adminUrl, '--write-recovery-conf', '--checkpoint=fast'];
      await run(join(bin, 'pg_basebackup'), options, user);
      const replica = await runPostgres(copy);
      // After the copy: the replica has no standby of its own when it is promoted.
      await query(adminUrl, `alter system set synchronous_standby_names = '*'`);
      await query(adminUrl, 'select pg_reload_conf()');
      await until('writes wait for the replica', async () => {
        const rows = await query(adminUrl, `select 1 from pg_stat_replication where sync_state = 'sync'`);
        return rows.length === 1;
      });
      return {
        ...replica,
        async promote() {
          await query(replica.adminUrl, 'select pg_promote()');
        },
      };
    },
  };
}

/** @returns the rows of a single statement */
export async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new pg.Client({ connectionString: url, ...limits });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function run(program: string, args: readonly string[], user: { uid?: number; gid?: number }): Promise<void> {
  const child = spawn(program, args, { ...user, cwd: '/tmp', stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => (output += text));
  const [code] = await within(() => `${program} ends: ${output}`, once(child, 'exit'));
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}`);
}

/** Waits for an answer. False if the server has ended, for example because another one has got its port. */
async function answers(url: string, server: ChildProcess, data: string): Promise<boolean> {
  const isOurs = async (): Promise<boolean> => (await query(url, 'show data_directory'))[0]!.data_directory === data;
  await until('PostgreSQL answers', async () => hasEnded(server) || (await isOurs().catch(() => false)));
  return !hasEnded(server);
}

async function childrenOf(parent: number): Promise<number[]> {
  const processes = (await ps('-A', '-o', 'pid=,ppid='))
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return processes.flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));
}

/** The first letter of the state of a process: T if it is stopped. */
async function stateOf(pid: number): Promise<string> {
  return (await ps('-o', 'state=', '-p', String(pid))).slice(0, 1);
}

async function ps(...options: readonly string[]): Promise<string> {
  return (await promisify(execFile)('ps', options)).stdout.trim();
}

/** Sends a signal to a process, unless it has ended. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
