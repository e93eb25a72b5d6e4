import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startingApp } from '../../../server/http/starting-app.js';
import { Cleanup } from '../../support/cleanup.js';

describe('a server that waits for its database', () => {
  const cleanup = new Cleanup();
  let origin: string;
  beforeEach(async () => {
    const server = createServer(startingApp(new Date(0), () => 'request-1')).listen(0, '127.0.0.1');
    cleanup.after(() => server.close());
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => cleanup.run());

  it('is alive, and refuses every program with a code', async () => {
    assert.equal((await fetch(`${origin}/livez`, { headers: { accept: 'text/html' } })).status, 200);
    const response = await fetch(`${origin}/viewer?streamId=main/keynote`);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
    const { data } = await response.json();
    assert.deepEqual([data.code, data.requestId], ['database_unavailable', 'request-1']);
  });

  it('shows a page to whoever opens an address in a browser', async () => {
    const response = await fetch(`${origin}/viewer?streamId=main/keynote&lang=de`, {
      headers: { accept: 'text/html' },
    });
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('retry-after')],
      [503, 'text/html; charset=utf-8', '5'],
    );
    assert.match(await response.text(), /<h1>Der Server kann gerade nicht antworten<\/h1>/);
  });
});
