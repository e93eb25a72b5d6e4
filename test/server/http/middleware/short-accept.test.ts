import assert from 'node:assert/strict';
import { it } from 'node:test';
import express from 'express';
import { shortAccept } from '../../../../server/http/middleware/short-accept.js';
import { Cleanup } from '../../../support/cleanup.js';

const accepted = async (accept: string): Promise<string> => {
  const cleanup = new Cleanup();
  const app = express().use(shortAccept(), (req, res) => res.send(String(req.headers.accept?.length)));
  const server = app.listen(0, '127.0.0.1');
  cleanup.after(() => server.close());
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const res = await fetch(`http://127.0.0.1:${address.port}/`, { headers: { accept } });
    return await res.text();
  } finally {
    await cleanup.run();
  }
};

it('leaves what browsers accept as it is', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
  assert.equal(await accepted(accept), String(accept.length));
});

it('cuts a long list behind an entry', async () => {
  assert.equal(await accepted('text/html,'.repeat(1_000)), '1019');
});

it('drops a long list without an end', async () => {
  assert.equal(await accepted('a'.repeat(2_000)), '0');
});
