import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.ts';
import { availableUdpPort } from '../../server/media/embedded/transport/udp-port.ts';
import { listening } from './listening.ts';
import { endProgram, requireRunning } from './program.ts';

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
  const program = await toolPath('coturn');
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
    // As docs/operating/ports-and-firewalls.md recommends: it relays to our media only.
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
  await listening(port, () => requireRunning(server, output));
  return {
    port,
    secret,
    output: () => output,
    async stop() {
      await endProgram(server, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
