import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installDebianPackage } from '../../scripts/debian-package.ts';
import type { Cleanup } from './cleanup.ts';

const PROGRAM = '/usr/sbin/nginx';
/** How often the start is asked for, every 50 ms. */
const ATTEMPTS = 200;

export interface NginxOptions {
  /** For its files. */
  readonly folder: string;
  /** What is inside of `http`. */
  readonly servers: string;
  /** One that it listens on, at the loopback address. */
  readonly port: number;
}

/** Runs nginx until the cleanup. On Debian, as root, installs it if it is missing. */
export async function startNginx(cleanup: Cleanup, { folder, servers, port }: NginxOptions): Promise<void> {
  if (!existsSync(PROGRAM)) await installDebianPackage('nginx');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents { worker_connections 2048; }\nhttp {\n${temporary.join('\n')}\n${servers}\n}\n`,
  );
  const nginx = spawn(PROGRAM, ['-e', 'stderr', '-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  nginx.stderr.setEncoding('utf8').on('data', (more) => (output += more));
  cleanup.after(async () => {
    if (nginx.exitCode !== null) return;
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
  });
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    assert.equal(nginx.exitCode, null, output);
    if (await isListening(port)) return;
    await pause(50);
  }
  throw new Error(`nginx does not answer:\n${output}`);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
