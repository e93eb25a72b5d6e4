import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { typescriptArguments } from '../../../scripts/run-command.js';
import { ServiceManager } from '../../../server/parent-process/service-manager.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { notifySocket } from '../../support/notify-socket.js';

const CLI = join(import.meta.dirname, '../../../server/cli/cli.ts');
/** Far longer than a beat waits on a busy machine. */
const WATCHDOG_MS = 9_000;

describe('what systemd is told', () => {
  let told: string[];
  let faults: unknown[];
  beforeEach(() => {
    told = [];
    faults = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => mock.timers.reset());

  const find = (env: Record<string, string>, send = async (message: string) => void told.push(message)) =>
    ServiceManager.find({ env, pid: 7, send, onFault: (error) => faults.push(error) });
  const socket = { NOTIFY_SOCKET: '/run/systemd/notify' };

  it('is nothing without systemd', () => assert.equal(find({ WATCHDOG_USEC: '3000000' }), undefined));

  it('is a beat three times within the time, from the moment when the server listens', () => {
    const manager = find({ ...socket, WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' })!;
    mock.timers.tick(60_000);
    assert.deepEqual(told, []);
    manager.ready();
    mock.timers.tick(30_000);
    assert.deepEqual(told, ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1']);
    manager.stopping();
    manager.close();
    mock.timers.tick(30_000);
    assert.deepEqual(told.slice(4), ['STOPPING=1']);
  });

  for (const [name, env] of [
    ['there is no watchdog', {}],
    ['the watchdog is of another process', { WATCHDOG_USEC: '30000000', WATCHDOG_PID: '8' }],
  ] as const) {
    it(`is no beat if ${name}`, () => {
      find({ ...socket, ...env })!.ready();
      mock.timers.tick(60_000);
      assert.deepEqual(told, ['READY=1']);
    });
  }

  it('may fail, which is reported', async () => {
    const fault = new Error('no such program');
    find(socket, () => Promise.reject(fault))!.ready();
    await Promise.resolve().then(() => undefined);
    assert.deepEqual(faults, [fault]);
  });
});

describe('a server that systemd watches', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** Starts a server, and kills it as systemd does when it is silent for too long. */
  const start = async () => {
    const folder = await dataFolder(cleanup);
    const stuck = join(folder, 'stuck.mjs');
    await writeFile(stuck, `process.on('SIGUSR2', () => { for (;;); });`);
    let onBeat = (): void => {};
    const socket = await notifySocket(cleanup, () => onBeat());
    const child = spawn(process.execPath, [...typescriptArguments, '--import', stuck, CLI], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: '0',
        MEDIA_UDP_PORT: '0',
        MEDIA_WORKERS: '1',
        // Run from the sources, a media process loads what the server loads.
        MEDIA_SANDBOX: 'off',
        NOTIFY_SOCKET: socket.path,
        WATCHDOG_USEC: String(WATCHDOG_MS * 1_000),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(child, 'exit').then(([, signal]) => signal);
    cleanup.after(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    let watchdog: NodeJS.Timeout | undefined;
    cleanup.after(() => clearTimeout(watchdog));
    onBeat = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => child.kill('SIGKILL'), WATCHDOG_MS);
    };
    await until('it is ready', () => socket.messages.includes('READY=1'), 90_000);
    await until('it beats', () => socket.messages.filter((text) => text === 'WATCHDOG=1').length > 1, 90_000);
    return { child, exited, messages: socket.messages };
  };

  for (const [what, signal] of [
    ['its event loop is stuck', 'SIGUSR2'],
    ['its process stands still', 'SIGSTOP'],
  ] as const) {
    it(`is killed when ${what}`, async () => {
      const { child, exited } = await start();
      child.kill(signal);
      assert.equal(await exited, 'SIGKILL');
    });
  }

  it('says that it stops', async () => {
    const { child, exited, messages } = await start();
    child.kill('SIGTERM');
    assert.equal(await exited, null);
    assert.ok(messages.includes('STOPPING=1'));
  });
});
