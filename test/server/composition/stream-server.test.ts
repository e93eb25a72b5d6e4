import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import express from 'express';
import { pino } from 'pino';
import { WebSocket, WebSocketServer } from 'ws';
import { readConfig } from '../../../server/config/config.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { DataDirError } from '../../../server/store/database-errors.js';
import { createStreamServer } from '../../../server/composition/stream-server.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { refusedUpgrade, streamServer } from '../../support/stream-server.js';

describe('createStreamServer', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const create = async (folder: string) => {
    const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder });
    const server = await createStreamServer(config, { engine: new FakeEngine(), log: pino({ level: 'silent' }) });
    cleanup.after(() => server.close());
    return server;
  };

  /** An Express app with its own page, API and files, and the router of Streamgate. */
  const mounted = async () => {
    const streams = await create(await dataFolder(cleanup));
    const app = express();
    app.use(streams.router);
    app.get('/', (_req, res) => res.send('page of the app'));
    app.get('/api/app', (_req, res) => res.send('API of the app'));
    for (const path of ['/assets/app.js', '/words', '/words/app.js'])
      app.get(path, (_req, res) => res.send('file of the app'));
    const server = createServer(app);
    streams.attach(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return { server, port: (server.address() as AddressInfo).port };
  };

  it('warns about a key file that other users can read, unless the key comes from the environment', async () => {
    const { server, dataDir, log } = await streamServer(cleanup);
    assert.ok(!log.text.includes('chmod'));
    await server.close();
    const path = join(dataDir, 'master.key');
    await chmod(path, 0o644);
    const again = await streamServer(cleanup, { DATA_DIR: dataDir });
    assert.match(again.log.text, new RegExp(`"level":40,.*"file":"${path}","mode":"0644","msg":".*chmod 600"`));
    await again.server.close();
    const other = await streamServer(cleanup, { DATA_DIR: dataDir, ENCRYPTION_KEY: await readFile(path, 'hex') });
    assert.ok(!other.log.text.includes('chmod'));
  });

  it('passes requests for other paths to the app that it is mounted in', async () => {
    const { port } = await mounted();
    const text = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    assert.equal(await text('/'), 'page of the app');
    assert.equal(await text('/api/app'), 'API of the app');
    assert.match(await text('/healthz'), /"up":true/);
  });

  it('adds no header to files of that app in folders that both have', async () => {
    const { port } = await mounted();
    for (const path of ['/assets/app.js', '/words', '/words/app.js']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      assert.equal(await response.text(), 'file of the app');
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    }
  });

  it('answers viewers in an app that it is mounted in', async () => {
    const { port } = await mounted();
    const response = await fetch(`http://127.0.0.1:${port}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    });
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal((await response.json()).data.code, 'stream_not_live');
  });

  it('leaves the websockets of the app alone, and refuses upgrades that nobody handles', async () => {
    const { server, port } = await mounted();
    const url = `ws://127.0.0.1:${port}`;
    assert.equal((await refusedUpgrade(`${url}/app-socket`)).status, 404);

    const appSockets = new WebSocketServer({ server, path: '/app-socket' });
    cleanup.after(() => appSockets.close());
    const socket = new WebSocket(`${url}/app-socket`);
    await once(socket, 'open');
    socket.terminate();
  });

  it('creates its files for its own user only', async () => {
    const folder = await dataFolder(cleanup);
    await create(folder);
    for (const file of ['streamgate.db', 'master.key']) {
      assert.equal((await stat(join(folder, file))).mode & 0o077, 0, file);
    }
  });

  it('does not start without the key that its tokens were encrypted with', async () => {
    const folder = await dataFolder(cleanup);
    const first = await create(folder);
    await first.accounts.ensureFirstAccount();
    await first.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams: [] });
    await first.close();
    await rm(join(folder, 'master.key'));
    await assert.rejects(create(folder), DataDirError);
  });
});
