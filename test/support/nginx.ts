import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.ts';
import type { Cleanup } from './cleanup.ts';
import { listening } from './listening.ts';
import { endProgram, requireRunning } from './program.ts';

export interface NginxOptions {
  /** For its files. */
  readonly folder: string;
  /** What is before `http`. */
  readonly beside?: string;
  /** What is inside of `http`. */
  readonly servers?: string;
  /** One that it listens on, at the loopback address. */
  readonly port: number;
}

/** Runs nginx until the cleanup. On Debian, as root, installs it if it is missing. */
export async function startNginx(
  cleanup: Cleanup,
  { folder, beside = '', servers = '', port }: NginxOptions,
): Promise<void> {
  const program = await toolPath('nginx');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `${beside}\ndaemon off;\nmaster_process off;\npid ${folder}/pid;\nevents { worker_connections 2048; }\nhttp {\n${temporary.join('\n')}\n${servers}\n}\n`,
  );
  const nginx = spawn(program, ['-e', 'stderr', '-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  nginx.stderr.setEncoding('utf8').on('data', (more) => (output += more));
  cleanup.after(() => endProgram(nginx));
  await listening(port, () => requireRunning(nginx, output));
}
