import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { availableUdpPort } from '../../server/media/embedded/transport/udp-port.ts';

const PROGRAM = 'turnserver';
/** The folders of Debian's package. Not every PATH has them. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin'];

export interface TestCoturn {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** The shared secret for its credentials. */
  readonly secret: string;
  /** Its output so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a TURN server on the loopback address that relays to this machine only. */
export async function startCoturn(): Promise<TestCoturn> {
  const program = await coturnProgram();
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-turn-'));
  const port = await availableUdpPort('127.0.0.1', 0);
  const secret = randomBytes(32).toString('hex');
  const settings = [
    `listening-port=${port}`,
    'listening-ip=127.0.0.1',
    'relay-ip=127.0.0.1',
    'realm=streamgate.test',
    'use-auth-secret',
    `static-auth-secret=${secret}`,
    'fingerprint',
    'allow-loopback-peers',
    // As docs/operating.md recommends: it relays to our media only.
    'denied-peer-ip=0.0.0.0-255.255.255.255',
    'denied-peer-ip=::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'allowed-peer-ip=127.0.0.1',
    'no-multicast-peers',
    'no-tls',
    'no-dtls',
    'no-cli',
    'verbose',
    'log-file=stdout',
    `pidfile=${join(folder, 'turnserver.pid')}`,
    `userdb=${join(folder, 'turndb')}`,
  ];
  const config = join(folder, 'turnserver.conf');
  writeFileSync(config, `${settings.join('\n')}\n`, { mode: 0o600 });

  const server = spawn(program, ['-c', config], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  await listening(port, () => {
    if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}:\n${output}`);
  });
  return {
    port,
    secret,
    output: () => output,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Installs coturn if possible, because the tests cannot run without it. */
async function coturnProgram(): Promise<string> {
  const found = findCoturn();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const patient = ['-o', 'DPkg::Lock::Timeout=300'];
    await run('/usr/bin/apt-get', [...patient, 'update', '-q']);
    await run('/usr/bin/apt-get', [...patient, 'install', '-yq', '--no-install-recommends', 'coturn']);
  }
  const installed = findCoturn();
  if (installed) return installed;
  throw new Error('these tests need coturn: apt-get install -y --no-install-recommends coturn');
}

function findCoturn(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...USUAL_FOLDERS];
  return folders.map((folder) => join(folder, PROGRAM)).find((path) => existsSync(path));
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  await once(child, 'exit');
}

/** Connects until the port is open. `check` throws if the server has ended. */
async function listening(port: number, check: () => void): Promise<void> {
  for (;;) {
    check();
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
