import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { FolderLock } from '../../server/folder-lock.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';

const ROOT = join(import.meta.dirname, '../..');
const REFUSED = 'another server records in this folder: this server records nothing';

interface RunningServer {
  readonly child: ChildProcess;
  readonly refusals: () => number;
}

describe('two servers with one folder of recordings', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** A server in a process of its own, with its own data. Resolves when it listens. */
  const start = async (folder: string): Promise<RunningServer> => {
    const env = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', RECORDINGS_DIR: folder };
    const child = spawn(
      process.execPath,
      ['--import', join(ROOT, 'scripts/load-typescript.js'), join(ROOT, 'server/cli/cli.ts')],
      { env: { ...process.env, ...env, DATA_DIR: await dataFolder(cleanup) }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    cleanup.after(() => end(child, 'SIGTERM'));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until('the server listens', () => output.includes('Streamgate is on'));
    return { child, refusals: () => output.split(REFUSED).length - 1 };
  };

  it('records with the first, runs the second without recording, and lets a killed server take its folder again', async () => {
    const folder = join(await dataFolder(cleanup), 'recordings');
    const first = await start(folder);
    const second = await start(folder);
    assert.deepEqual([first.refusals(), second.refusals()], [0, 1]);
    await end(first.child, 'SIGKILL');
    const again = await start(folder);
    assert.equal(again.refusals(), 0);
    assert.equal(FolderLock.take(folder, '.lock'), undefined);
    await end(again.child, 'SIGTERM');
    const lock = FolderLock.take(folder, '.lock');
    assert.ok(lock);
    lock.release();
  });

  it('also in one process', async () => {
    const folder = await dataFolder(cleanup);
    const lock = FolderLock.take(folder, '.lock')!;
    assert.equal(FolderLock.take(folder, '.lock'), undefined);
    lock.release();
    FolderLock.take(folder, '.lock')!.release();
  });
});

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
