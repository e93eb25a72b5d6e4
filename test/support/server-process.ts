import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as BuiltCli from '../../server/cli/run-cli.js';
import { endProgram, printed } from './program.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');
/** The flags of Node that its first line gives, as when a shell starts it. */
export const NODE_FLAGS: readonly string[] = readFileSync(COMMAND, 'utf8').split('\n', 1)[0]!.split(' ').slice(3);
const CLI = new URL('../../server/dist/server/cli/run-cli.js', import.meta.url).href;

export interface ServerProcess {
  /** As `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The one-time link of the first start. Empty if another server on the database was first. */
  readonly dashboardLink: string;
  readonly dataDir: string;
  /** Of the running process. It changes with a restart. */
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Null: it is running, or a signal ended it. */
  exitCode(): number | null;
  /** Runs a CLI command on the same data folder and returns the data of its JSON output. */
  cli(...args: string[]): Promise<Record<string, unknown>>;
  /** Ends the server with a signal, and starts it again on the same port and data folder. */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the built server on free ports of the loopback address, with an empty data folder and one media process. */
export async function startServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'streamgate-e2e-'));
  const own = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', DATA_DIR: dataDir };
  const environment = { ...process.env, ...own, ...env };
  let output = '';
  const launch = async (more: Record<string, string> = {}): Promise<[child: ChildProcess, origin: string]> => {
    const begins = output.length;
    const child = spawn(process.execPath, [...NODE_FLAGS, COMMAND], {
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [, origin] = await printed(child, /Streamgate is on (http:\S+)/, () => output.slice(begins));
    return [child, origin!];
  };
  const [first, origin] = await launch();
  let child = first;
  const link = /(http:\S+\/dashboard#code=\S+)|get a login link with/;
  const [, dashboardLink = ''] = await printed(child, link, () => output);
  return {
    origin,
    dashboardLink,
    dataDir,
    get pid() {
      return child.pid!;
    },
    output: () => output,
    exitCode: () => child.exitCode,
    async cli(...args) {
      // In this process: another would load for a second.
      const { runCli } = (await import(CLI)) as typeof BuiltCli;
      let printed = '';
      const print = (text: string): unknown => (printed += `${text}\n`);
      const status = await runCli([...args, '--json'], { env: environment, stdout: print, stderr: print });
      if (status === 0) return JSON.parse(printed).data;
      throw new Error(`streamgate ${args.join(' ')} failed: ${printed}\nOutput of the server:\n${output}`);
    },
    async restart(signal = 'SIGTERM') {
      await endProgram(child, signal);
      [child] = await launch({ PORT: new URL(origin).port });
    },
    async stop() {
      await endProgram(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
