import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import { CHECK_EVERY_MS } from '../../../server/health/health-checks.js';
import { FolderLock } from '../../../server/folder-lock.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

describe('the health of a server', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const ask = async ({ origin }: TestServer, path: string) => {
    const response = await fetch(`${origin}${path}`);
    return { status: response.status, data: JSON.parse(await response.text()).data };
  };

  it('has the file of the database that was removed, and the log too', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    cleanup.after(() => mock.timers.reset());
    const server = await streamServer(cleanup);
    assert.deepEqual((await ask(server, '/readyz')).data, { ready: true, problems: [], warnings: [], faults: [] });
    await rm(join(server.dataDir, 'streamgate.db'));
    let checkedAt = 0;
    await until('it is found', async () => {
      // A check that still runs at the next one is reported as stuck.
      if (performance.now() - checkedAt > 1_000) {
        checkedAt = performance.now();
        mock.timers.tick(CHECK_EVERY_MS);
      }
      const { status, data } = await ask(server, '/readyz');
      return status === 503 && data.code === 'database_replaced' && data.problems[0].component === 'database_file';
    });
    const { status, data } = await ask(server, '/healthz');
    const codes: string[] = data.problems.map(({ code }: { code: string }) => code);
    assert.deepEqual([status, codes.includes('database_replaced')], [200, true]);
    assert.match(server.log.text, /"code":"database_replaced","component":"database_file"/);
  });

  it('has that nothing is recorded, from the start on', async () => {
    const folder = await dataFolder(cleanup);
    const lock = FolderLock.take(folder, '.lock')!;
    cleanup.after(() => lock.release());
    const server = await streamServer(cleanup, { RECORDINGS_DIR: folder });
    const found = async () => (await ask(server, '/readyz')).data.problems.map(({ code }: { code: string }) => code);
    await until('it is found', async () => (await found()).includes('recording_unavailable'));
  });
});
