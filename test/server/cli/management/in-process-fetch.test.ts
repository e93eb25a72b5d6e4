import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { inProcessFetch } from '../../../../server/cli/management/in-process-fetch.js';

const ANYWHERE = 'http://nowhere.invalid';

/** Responds with the request as JSON. */
const echo: RequestListener = async (req, res) => {
  const { method, url, headers } = req;
  res.statusCode = 201;
  res.setHeader('set-cookie', ['a=1', 'b=2']);
  res.end(JSON.stringify({ method, url, asked: headers['x-asked'], body: await text(req) }));
};

describe('inProcessFetch', () => {
  it('passes on method, path, query, headers and body, and returns status, headers and body', async () => {
    const answer = await inProcessFetch(echo)(`${ANYWHERE}/a/b?c=%20d`, {
      method: 'PUT',
      headers: { 'x-asked': 'yes' },
      body: 'ü'.repeat(100_000),
    });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [201, ['a=1', 'b=2']]);
    assert.deepEqual(await answer.json(), {
      method: 'PUT',
      url: '/a/b?c=%20d',
      asked: 'yes',
      body: 'ü'.repeat(100_000),
    });
  });

  it('keeps concurrent calls apart', async () => {
    const call = inProcessFetch(echo);
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const urls = await Promise.all(
      paths.map(async (path) => JSON.parse(await (await call(ANYWHERE + path)).text()).url),
    );
    assert.deepEqual(urls, paths);
  });

  it('returns a response without a body', async () => {
    const answer = await inProcessFetch((_req, res) => res.writeHead(204).end())(ANYWHERE, { method: 'DELETE' });
    assert.deepEqual([answer.status, await answer.text()], [204, '']);
  });

  it('rejects when the connection breaks off', async () => {
    await assert.rejects(inProcessFetch((req) => req.destroy())(ANYWHERE));
  });

  it('rejects when its signal is aborted', async () => {
    const controller = new AbortController();
    const response = inProcessFetch(() => controller.abort())(ANYWHERE, { signal: controller.signal });
    await assert.rejects(response, { name: 'AbortError' });
  });

  it('uses no network address and no port', async () => {
    const seen: unknown[] = [];
    const answer = await inProcessFetch((req, res) => {
      seen.push(req.socket.remoteAddress, req.socket.localPort);
      res.end();
    })(ANYWHERE);
    assert.deepEqual([answer.status, seen], [200, [undefined, undefined]]);
  });
});
