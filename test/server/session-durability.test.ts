import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, it, mock } from 'node:test';
import { typescriptArguments } from '../../scripts/run-command.js';
import { LOST_AFTER_MS } from '../../server/oversight/session-record.js';
import { SAVE_EVERY_MS } from '../../server/oversight/session-writer.js';
import { openDatabase } from '../../server/store/database.js';
import { SqlSessionStore } from '../../server/store/tables/sql-session-store.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { streamServer } from '../support/stream-server.js';

const OPENER = join(import.meta.dirname, '../support/session-opener.ts');

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

it('a session whose server is killed is kept, and the next server ends it when it was last seen', async () => {
  const folder = await dataFolder(cleanup);
  const opener = spawn(process.execPath, [...typescriptArguments, OPENER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(opener, 'exit');
  cleanup.after(() => void opener.kill('SIGKILL'));
  await once(opener.stdout, 'data');

  const db = await openDatabase(folder);
  cleanup.after(() => db.destroy());
  const store = new SqlSessionStore(db);
  const stored = () => store.list('main', { streamName: 'main', limit: 10 });
  await until('the session is written', async () => (await stored()).length > 0);
  opener.kill('SIGKILL');
  assert.deepEqual(await exit, [null, 'SIGKILL']);
  const [before, ...others] = await stored();
  assert.ok(before);
  assert.deepEqual(others, []);
  assert.deepEqual([before.endedOn, before.reason], [null, null]);

  mock.timers.enable({ apis: ['setInterval'] });
  cleanup.after(() => mock.timers.reset());
  const next = await streamServer(cleanup, { DATA_DIR: folder });
  next.clock.now += LOST_AFTER_MS + 1;
  mock.timers.tick(SAVE_EVERY_MS);
  await until('the session is ended', async () => (await stored()).every(({ endedOn }) => endedOn !== null));
  assert.deepEqual(await stored(), [{ ...before, endedOn: before.seenOn, reason: 'server_lost' }]);
});
