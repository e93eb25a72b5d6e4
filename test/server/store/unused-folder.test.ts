import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { usedFolderContents } from '../../../server/store/sqlite/folder-contents.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { suitePostgres } from '../../support/suite-postgres.js';
import { streamServer } from '../../support/stream-server.js';

const streams = [{ streamName: 'main', isRegex: false }];
const scope = { accountId: 'main', kind: 'publish' } as const;

describe('a data folder that a server with DATABASE_URL does not use', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  let dataDir: string;
  let databaseUrl: string;
  beforeEach(async () => {
    dataDir = await dataFolder(cleanup);
    databaseUrl = await postgres.migratedDatabase();
  });
  afterEach(() => cleanup.run());

  /** Runs a server, and returns its warnings. */
  const run = async (env: Record<string, string> = {}, creates = false) => {
    const own = new Cleanup();
    const { server, log } = await streamServer(own, { DATA_DIR: dataDir, ...env }, { startsOn: Date.now() });
    if (creates) await server.tokens.create(scope, { label: '', streams });
    await own.run();
    return log.text
      .split('\n')
      .filter((line) => line.includes('streamgate move'))
      .map((line) => JSON.parse(line));
  };

  it('is named in a warning, with the command that moves its data, until the database is used', async () => {
    await run({}, true);
    const [warning, ...more] = await run({ DATABASE_URL: databaseUrl });
    assert.deepEqual([warning.level, warning.dataDir, warning.accounts, warning.tokens, more], [40, dataDir, 1, 1, []]);
    assert.equal((await run({ DATABASE_URL: databaseUrl })).length, 1, 'the start before has not used the database');
    await run({ DATABASE_URL: databaseUrl }, true);
    assert.deepEqual(await run({ DATABASE_URL: databaseUrl }), []);
  });

  it('is not named if nobody has used it', async () => {
    await run();
    assert.deepEqual(await run({ DATABASE_URL: databaseUrl }), []);
  });

  it('is not named if it has only the key', async () => {
    await run({}, true);
    for (const name of readdirSync(dataDir)) {
      if (name !== 'master.key') await rm(join(dataDir, name), { recursive: true });
    }
    assert.deepEqual(await run({ DATABASE_URL: databaseUrl }), []);
  });

  it('is not named by a server that uses it', async () => {
    await run({}, true);
    assert.deepEqual(await run(), []);
  });

  it('does not keep a server from starting if it cannot be read', async () => {
    await writeFile(join(dataDir, 'streamgate.db'), 'this is a letter, and not a database'.repeat(100));
    assert.equal(usedFolderContents(dataDir), undefined);
    assert.deepEqual(await run({ DATABASE_URL: databaseUrl }), []);
  });
});
