import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { inProcessFetch } from '../../../../server/cli/management/in-process-fetch.js';

const ANYWHERE = 'http://nowhere.invalid';

/** Says what it was asked. */
const echo: RequestListener = async (req, res) => {
  const { method, url, headers } = req;
  res.statusCode = 201;
  res.setHeader('set-cookie', ['a=1', 'b=2']);
  res.end(JSON.stringify({ method, url, asked: headers['x-asked'], body: await text(req) }));
};

describe('a fetch from a listener of this process', () => {
  it('hands on method, path, query, headers and body, and brings back status, headers and body', async () => {
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

  it('keeps calls apart that are made at once', async () => {
    const ask = inProcessFetch(echo);
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const told = await Promise.all(
      paths.map(async (path) => JSON.parse(await (await ask(ANYWHERE + path)).text()).url),
    );
    assert.deepEqual(told, paths);
  });

  it('has an answer without a body', async () => {
    const answer = await inProcessFetch((_req, res) => res.writeHead(204).end())(ANYWHERE, { method: 'DELETE' });
    assert.deepEqual([answer.status, await answer.text()], [204, '']);
  });

  it('fails when the answer breaks off', async () => {
    await assert.rejects(inProcessFetch((req) => req.destroy())(ANYWHERE));
  });

  it('gives up when it is told to', async () => {
    const leave = new AbortController();
    const asked = inProcessFetch(() => leave.abort())(ANYWHERE, { signal: leave.signal });
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('takes no port and no address', async () => {
    const seen: unknown[] = [];
    const answer = await inProcessFetch((req, res) => {
      seen.push(req.socket.remoteAddress, req.socket.localPort);
      res.end();
    })(ANYWHERE);
    assert.deepEqual([answer.status, seen], [200, [undefined, undefined]]);
  });
});
