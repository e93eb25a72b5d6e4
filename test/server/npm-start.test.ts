import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemProcessTable } from '../../server/parent-process/process-table.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { printed } from '../support/program.js';
import { sideBySide } from '../support/side-by-side.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');
/** A script, quoted for a shell and for JSON. The process prints its id first. */
const SERVER = `node --import ./say-id.mjs ${COMMAND}`;

describe('a server', () => {
  /** A folder whose `npm start` runs the server. */
  const project = async (cleanup: Cleanup, start: string) => {
    const folder = await dataFolder(cleanup);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'site', private: true, scripts: { start } }));
    await writeFile(join(folder, 'say-id.mjs'), 'console.log(`server ${process.pid}`);');
    return folder;
  };

  /** Runs a command that starts the server, until the server listens. */
  const started = async (cleanup: Cleanup, folder: string, command: string, ...args: string[]) => {
    const { PATH, HOME } = process.env;
    const settings = {
      DATA_DIR: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: '0',
      MEDIA_UDP_PORT: '0',
      MEDIA_WORKERS: '1',
      // A media process imports what the server imports, and its sandbox permits no file of this test.
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
    const numberIn = async (pattern: RegExp) => Number((await printed(child, pattern, () => output))[1]);
    const serverId = await numberIn(/^server (\d+)$/m);
    cleanup.after(async () => {
      if (systemProcessTable.isRunning(serverId)) process.kill(serverId, 'SIGKILL');
      if (isRunning(child)) child.kill('SIGKILL');
    });
    const port = await numberIn(/Streamgate is on http:\/\/127\.0\.0\.1:(\d+)/);
    const mediaPort = await numberIn(/"tcpPort":(\d+)/);
    return { child, serverId, port, mediaPort, output: () => output };
  };

  for (const [name, start, ...command] of [
    ['npm start', SERVER, 'npm', 'start'],
    ['npm start, through a shell that stays', `${SERVER}; exit $?`, 'npm', 'start'],
    ['npx', '', 'npx', '-c', SERVER],
  ] as const) {
    describe(`started by ${name}`, () => {
      // No more at once: a media process that starts for too long counts as hung.
      const beside = sideBySide();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const)
        beside(`stops and frees its ports when npm receives ${signal}`, async ({ cleanup }) => {
          const [program, ...args] = command;
          const folder = await project(cleanup, start);
          const { child, serverId, port, mediaPort, output } = await started(cleanup, folder, program, ...args);
          assert.ok((await answers(port)) && (await answers(mediaPort)));
          child.kill(signal);
          await until('it has ended', () => !systemProcessTable.isRunning(serverId));
          await until('its ports are free', async () => !(await answers(port)) && !(await answers(mediaPort)));
          await until('it says why', () => output().includes('npm, which started the server, has ended'));
        });
    });
  }

  it('started without npm, or detached from npm, keeps running when its parent ends', async (t) => {
    const cleanup = new Cleanup();
    t.after(() => cleanup.run());
    const direct = await started(cleanup, await project(cleanup, ''), 'sh', '-c', `nohup ${SERVER} & wait`);
    const detached = await started(cleanup, await project(cleanup, `setsid ${SERVER}; exit $?`), 'npm', 'start');
    for (const { child } of [direct, detached]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    // A server that npm started, for comparison: it stops in the same time that the others are given.
    const watched = await started(cleanup, await project(cleanup, SERVER), 'npm', 'start');
    watched.child.kill('SIGKILL');
    await until('the watched one has ended', () => !systemProcessTable.isRunning(watched.serverId));
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
