import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typescriptArguments } from '../../scripts/run-command.js';
import { systemProcessTable } from '../../server/parent-process/process-table.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';

const CLI = join(import.meta.dirname, '../../server/cli/cli.ts');
/** A script, quoted for a shell and for JSON. The process prints its id first. */
const SERVER = `node ${typescriptArguments.join(' ')} --import ./say-id.mjs ${CLI}`;

describe('a server', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** A folder whose `npm start` runs the server. */
  const project = async (start: string) => {
    const folder = await dataFolder(cleanup);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'site', private: true, scripts: { start } }));
    await writeFile(join(folder, 'say-id.mjs'), 'console.log(`server ${process.pid}`);');
    return folder;
  };

  /** Runs a command that starts the server, until the server listens. */
  const started = async (folder: string, command: string, ...args: string[]) => {
    const { PATH, HOME } = process.env;
    const settings = {
      DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      MEDIA_UDP_PORT: '0',
      MEDIA_WORKERS: '1',
      // Run from the sources, a media process loads what the server loads, and its sandbox permits no file of this test.
      MEDIA_SANDBOX: 'off',
    };
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH, HOME, npm_config_update_notifier: 'false', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const printed = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const [, found] = pattern.exec(output) ?? [];
        if (found !== undefined) return found;
        if (!isRunning(child)) throw new Error(`it ended without ${String(pattern)}:\n${output}`);
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'close')]);
      }
    };
    const serverId = Number(await printed(/^server (\d+)$/m));
    cleanup.after(async () => {
      if (systemProcessTable.isRunning(serverId)) process.kill(serverId, 'SIGKILL');
      if (isRunning(child)) child.kill('SIGKILL');
    });
    const port = Number(await printed(/Streamgate is on http:\/\/127\.0\.0\.1:(\d+)/));
    const mediaPort = Number(await printed(/"tcpPort":(\d+)/));
    return { child, serverId, port, mediaPort, output: () => output };
  };

  for (const [name, start, ...command] of [
    ['npm start', SERVER, 'npm', 'start'],
    ['npm start, through a shell that stays', `${SERVER}; exit $?`, 'npm', 'start'],
    ['npx', '', 'npx', '-c', SERVER],
  ] as const) {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      it(`started by ${name} stops and frees its ports when npm receives ${signal}`, async () => {
        const [program, ...args] = command;
        const { child, serverId, port, mediaPort, output } = await started(await project(start), program, ...args);
        assert.ok((await answers(port)) && (await answers(mediaPort)));
        child.kill(signal);
        await until(() => !systemProcessTable.isRunning(serverId));
        await until(async () => !(await answers(port)) && !(await answers(mediaPort)));
        await until(() => output().includes('npm, which started the server, has ended'));
      });
    }
  }

  it('started without npm, or detached from npm, keeps running when its parent ends', async () => {
    const direct = await started(await project(''), 'sh', '-c', `nohup ${SERVER} & wait`);
    const detached = await started(await project(`setsid ${SERVER}; exit $?`), 'npm', 'start');
    for (const { child } of [direct, detached]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    // A server that npm started, for comparison: it stops in the same time that the others are given.
    const watched = await started(await project(SERVER), 'npm', 'start');
    watched.child.kill('SIGKILL');
    await until(() => !systemProcessTable.isRunning(watched.serverId));
    for (const { port, serverId } of [direct, detached]) {
      assert.ok((await answers(port)) && systemProcessTable.isRunning(serverId));
    }
  });
});

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Whether a process listens on a port of this machine. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Waits until the time limit of the test. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(50);
}
