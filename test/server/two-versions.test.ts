import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { runCli } from '../../server/cli/run-cli.js';
import { openDatabase } from '../../server/store/database.js';
import { DatabaseError } from '../../server/store/database-errors.js';
import type { Database } from '../../server/store/schema.js';
import { Cleanup } from '../support/cleanup.js';
import { clusterNode } from '../support/cluster.js';
import { dataFolder } from '../support/data-folder.js';
import { contractTables, expandTables } from '../support/later-version.js';
import { until } from '../support/media/until.js';
import { suitePostgres } from '../support/suite-postgres.js';
import { askDirector, type TestServer } from '../support/stream-server.js';
import { websocketSessions } from '../support/websocket-sessions.js';

// The servers here have the version before, and the tables are those of a later one.

const call = { streamName: 'main', streamAccountId: 'main' };

describe('servers of the version before, beside a later one', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const change = async (databaseUrl: string, by: (db: Database) => Promise<void>) => {
    const db = await openDatabase('', databaseUrl);
    await by(db);
    await db.destroy();
  };
  const publishesOn = async (node: TestServer, seenBy: TestServer) => {
    const mayPublish = await node.token('publish');
    await until('the name is free', async () => (await askDirector(node, 'publish', mayPublish, call)).status === 200);
    const { publisher } = await websocketSessions(() => node).publish();
    node.engine.sendFrame('main/main');
    const token = await seenBy.token('subscribe');
    await until('the other server sends viewers there', async () => {
      const { body } = await askDirector(seenBy, 'subscribe', token, call);
      return body.status === 'success' && body.data.urls[0].includes(`:${node.port}/`);
    });
    return publisher;
  };

  it('go on when it migrates, start again, and share streams and tokens in every step of an upgrade', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const one = await clusterNode(cleanup, databaseUrl);
    const other = await clusterNode(cleanup, databaseUrl);
    const publisher = await publishesOn(one, other);

    await change(databaseUrl, expandTables);
    assert.deepEqual(publisher.events().includes('stopped'), false);
    await publisher.command('unpublish');
    const next = await publishesOn(other, one);

    // It stopped in the middle of the upgrade.
    await one.server.close();
    const again = await clusterNode(cleanup, databaseUrl);
    await next.command('unpublish');
    await publishesOn(again, other);
    const created = await again.token('subscribe');
    assert.equal((await askDirector(other, 'subscribe', created)).status, 200);
  });

  it('do not start when it has taken away what they use, and say what to do', async () => {
    const databaseUrl = await postgres.newDatabase();
    await change(databaseUrl, contractTables);
    await assert.rejects(clusterNode(cleanup, databaseUrl), (error) => {
      assert.ok(error instanceof DatabaseError);
      assert.match(error.message, /a later version of Streamgate .* start the later version here too/);
      return true;
    });
    let stderr = '';
    const status = await runCli(['token', 'list', 'publish'], {
      env: { DATABASE_URL: databaseUrl, DATA_DIR: await dataFolder(cleanup) },
      stdout: () => {},
      stderr: (text) => (stderr += text),
    });
    assert.deepEqual([status, stderr.includes('start the later version here too')], [1, true]);
  });

  it('may start at the same moment as a later one that migrates an empty database', async () => {
    for (let round = 0; round < 2; round += 1) {
      const databaseUrl = await postgres.newDatabase();
      const later = change(databaseUrl, expandTables);
      const nodes = await Promise.all([clusterNode(cleanup, databaseUrl), clusterNode(cleanup, databaseUrl)]);
      await later;
      for (const node of nodes) assert.equal((await askDirector(node, 'subscribe')).status, 400);
    }
  });
});
