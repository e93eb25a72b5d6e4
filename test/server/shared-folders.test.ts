import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { FolderLock } from '../../server/folder-lock.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { streamServer } from '../support/stream-server.js';
import { suitePostgres } from '../support/suite-postgres.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');
const RECORDS_NOTHING = 'another server records in this folder: this server records nothing';

describe('two servers with one folder', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  /** A server in a process of its own, until it listens or ends. */
  const start = async (folder: string, recordings: string) => {
    const folders = { DATA_DIR: folder, RECORDINGS_DIR: recordings };
    const env = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', ...folders };
    const child = spawn(process.execPath, [COMMAND], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      const exited = once(child, 'exit');
      if (hasEnded() || !child.kill(signal)) return;
      await exited;
    };
    cleanup.after(() => end('SIGTERM'));
    await until('the server listens or ends', () => output.includes('Streamgate is on') || hasEnded());
    return { child, end, isOn: () => output.includes('Streamgate is on'), output: () => output };
  };

  it('do not share data, record with the first of them only, and take the folders of a killed one at once', async () => {
    const [folder, anotherFolder] = [await dataFolder(cleanup), await dataFolder(cleanup)];
    const recordings = join(folder, 'recordings');
    const first = await start(folder, recordings);
    assert.deepEqual([first.isOn(), first.output().includes(RECORDS_NOTHING)], [true, false]);
    const [second, another] = await Promise.all([start(folder, recordings), start(anotherFolder, recordings)]);
    assert.equal(second.child.exitCode, 1, second.output());
    assert.match(second.output(), /another server uses the data folder .*stop it/i);
    assert.ok(second.output().includes(folder));
    assert.deepEqual([another.isOn(), another.output().split(RECORDS_NOTHING).length - 1], [true, 1]);
    await first.end('SIGKILL');
    const again = await start(folder, recordings);
    assert.deepEqual([again.isOn(), again.output().includes(RECORDS_NOTHING)], [true, false]);
    assert.equal(FolderLock.take(recordings, '.lock'), undefined);
    await again.end('SIGTERM');
    const lock = FolderLock.take(recordings, '.lock');
    assert.ok(lock);
    lock.release();
  });

  it('do not share data in one process either, and leave the folder to the next after a stop', async () => {
    const folder = await dataFolder(cleanup);
    const first = await streamServer(cleanup, { DATA_DIR: folder });
    await assert.rejects(streamServer(cleanup, { DATA_DIR: folder }), { code: 'data_folder_in_use' });
    await first.server.close();
    await streamServer(cleanup, { DATA_DIR: folder });
  });

  it('do not record in one folder in one process either', async () => {
    const folder = await dataFolder(cleanup);
    const lock = FolderLock.take(folder, '.lock')!;
    assert.equal(FolderLock.take(folder, '.lock'), undefined);
    lock.release();
    FolderLock.take(folder, '.lock')!.release();
  });

  it('share the folder of their key on one PostgreSQL', async () => {
    const folder = await dataFolder(cleanup);
    const settings = { DATA_DIR: folder, DATABASE_URL: await postgres.migratedDatabase() };
    const first = await streamServer(cleanup, settings);
    const second = await streamServer(cleanup, settings);
    assert.notEqual(first.origin, second.origin);
  });
});
