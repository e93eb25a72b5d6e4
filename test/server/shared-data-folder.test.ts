import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { streamServer } from '../support/stream-server.js';
import { suitePostgres } from '../support/suite-postgres.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');

describe('two servers with one data folder', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  /** A server in a process of its own, until it listens or ends. */
  const start = async (folder: string) => {
    const env = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', DATA_DIR: folder };
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
    return { child, end, output: () => output };
  };

  it('refuses the second with the next step, and takes the folder of a killed one at once', async () => {
    const folder = await dataFolder(cleanup);
    const first = await start(folder);
    assert.match(first.output(), /Streamgate is on/);
    const second = await start(folder);
    assert.equal(second.child.exitCode, 1, second.output());
    assert.match(second.output(), /another server uses the data folder .*stop it/i);
    assert.ok(second.output().includes(folder));
    await first.end('SIGKILL');
    const third = await start(folder);
    assert.match(third.output(), /Streamgate is on/);
  });

  it('refuses the second in one process too, and leaves the folder to the next after a stop', async () => {
    const folder = await dataFolder(cleanup);
    const first = await streamServer(cleanup, { DATA_DIR: folder });
    await assert.rejects(streamServer(cleanup, { DATA_DIR: folder }), { code: 'data_folder_in_use' });
    await first.server.close();
    await streamServer(cleanup, { DATA_DIR: folder });
  });

  it('lets servers on one PostgreSQL share the folder of their key', async () => {
    const folder = await dataFolder(cleanup);
    const settings = { DATA_DIR: folder, DATABASE_URL: await postgres.migratedDatabase() };
    const first = await streamServer(cleanup, settings);
    const second = await streamServer(cleanup, settings);
    assert.notEqual(first.origin, second.origin);
  });
});
