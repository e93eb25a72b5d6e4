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
import { readConfig } from '../../server/config/config.js';
import { FakeEngine } from '../../server/media/fake-engine.js';
import { DataDirError } from '../../server/store/database-errors.js';
import { createStreamServer } from '../../server/stream-server.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { refusedUpgrade, streamServer } from '../support/stream-server.js';

describe('createStreamServer', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const create = async (folder: string) => {
    const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder });
    const server = await createStreamServer(config, { engine: new FakeEngine(), log: pino({ level: 'silent' }) });
    cleanup.after(() => server.close());
    return server;
  };

  /** An app of somebody else's, with a page and a websocket of its own, and ours in it. */
  const mounted = async () => {
    const streams = await create(await dataFolder(cleanup));
    const app = express();
    app.use(streams.router);
    app.get('/', (_req, res) => res.send('their own page'));
    app.get('/api/theirs', (_req, res) => res.send('their own API'));
    for (const path of ['/assets/theirs.js', '/words', '/words/theirs.js'])
      app.get(path, (_req, res) => res.send('their own'));
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

  it('warns of a key file that others can read, unless the key comes from the environment', async () => {
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

  it('leaves to the app it is mounted in what is not its own', async () => {
    const { port } = await mounted();
    const text = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    assert.equal(await text('/'), 'their own page');
    assert.equal(await text('/api/theirs'), 'their own API');
    assert.match(await text('/healthz'), /"up":true/);
  });

  it('puts nothing on the files of that app, in folders that both have', async () => {
    const { port } = await mounted();
    for (const path of ['/assets/theirs.js', '/words', '/words/theirs.js']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      assert.equal(await response.text(), 'their own');
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    }
  });

  it('answers viewers in the app it is mounted in', async () => {
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

  it('leaves to the app its own websockets, and refuses what nobody takes', async () => {
    const { server, port } = await mounted();
    const url = `ws://127.0.0.1:${port}`;
    assert.equal((await refusedUpgrade(`${url}/theirs`)).status, 404);

    const theirs = new WebSocketServer({ server, path: '/theirs' });
    cleanup.after(() => theirs.close());
    const socket = new WebSocket(`${url}/theirs`);
    await once(socket, 'open');
    socket.terminate();
  });

  it('keeps its files to the user it runs as', async () => {
    const folder = await dataFolder(cleanup);
    await create(folder);
    for (const file of ['streamgate.db', 'master.key']) {
      assert.equal((await stat(join(folder, file))).mode & 0o077, 0, file);
    }
  });

  it('does not start without the key that its tokens were sealed with', async () => {
    const folder = await dataFolder(cleanup);
    const first = await create(folder);
    await first.accounts.ensureFirstAccount();
    await first.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams: [] });
    await first.close();
    await rm(join(folder, 'master.key'));
    await assert.rejects(create(folder), DataDirError);
  });
});
