import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import { pageRoutes } from '../../../../server/http/pages/page-routes.js';
import { NO_THEME } from '../../../../server/accounts/theme/theme.js';
import { unknownStream } from '../../../support/scheduled-stream.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const TEXT = 'export const long = 1;\n'.repeat(40);

/** The modification time of every file in npm archives. */
const PACKED = new Date('1985-10-26T08:15:00Z');

const FILES: Record<string, string> = {
  'viewer.html': '<style>p {}</style><script type="module">1</script>',
  'broadcaster.html': '<p>broadcaster',
  'dashboard.html': '<p>dashboard',
  'api.html': '<script type="module">1</script>',
  'streamgate.js': TEXT,
  'hls-player.js': TEXT,
  'i18n/de.js': TEXT,
  'errors/token_expired.txt': '# token_expired\n\n–',
  'assets/dashboard-a1b2.js': TEXT,
  'assets/icon-c3.svg': '<svg/>',
  'integrity.json': JSON.stringify({ version: '1.2.3-rc.1', files: {} }),
};

/** Files as the build writes them: small files uncompressed, others also compressed. */
async function builtFolder(cleanup: Cleanup, files = FILES): Promise<string> {
  const root = await dataFolder(cleanup);
  await writeFile(join(root, 'secret.js'), 'a secret');
  const folder = join(root, 'public');
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await writeFile(path, content);
    await utimes(path, PACKED, PACKED);
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await write(path, text);
    if (text !== TEXT) continue;
    await write(`${path}.br`, brotliCompressSync(text));
    await write(`${path}.gz`, gzipSync(text));
  }
  return folder;
}

describe('the pages and the files of the build', () => {
  const cleanup = new Cleanup();
  let port: number;

  /** @returns its port */
  const serve = async (files = FILES): Promise<number> => {
    const app = express();
    app.disable('etag');
    app.use(
      pageRoutes({
        publicDir: await builtFolder(cleanup, files),
        themes: { shown: async () => NO_THEME },
        schedule: { announced: unknownStream },
        turn: async () => {},
      }),
    );
    app.use((_req, res) => void res.status(404).send('not ours'));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  };

  beforeEach(async () => {
    port = await serve();
  });
  afterEach(() => cleanup.run());

  interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }

  /** A raw request: `fetch` would decode the body and normalize the path. */
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const asked = request({ port, host: '127.0.0.1', path, headers, method }).end();
    const [response] = await once(asked, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
  };

  for (const path of [
    '/streamgate.js',
    '/hls-player.js',
    '/i18n/de.js',
    '/assets/dashboard-a1b2.js',
    '/streamgate-1.2.3-rc.1.js',
  ]) {
    it(`sends ${path} in the smallest encoding that the browser accepts`, async () => {
      const encodingFor = async (accepted?: string) => {
        const { headers, bytes } = await ask(path, accepted === undefined ? {} : { 'accept-encoding': accepted });
        assert.equal(headers['vary'], 'accept-encoding');
        assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
        assert.equal(headers['content-length'], String(bytes.length));
        const encoding = headers['content-encoding'];
        const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding ? gunzipSync(bytes) : bytes;
        assert.equal(String(plain), TEXT);
        return encoding;
      };
      assert.equal(await encodingFor('gzip, deflate, br, zstd'), 'br');
      assert.equal(await encodingFor('gzip, deflate'), 'gzip');
      assert.equal(await encodingFor('br;q=0, gzip;q=0.5'), 'gzip');
      assert.equal(await encodingFor('identity'), undefined);
      assert.equal(await encodingFor(), undefined);
    });
  }

  it('serves the page of an error code as plain text', async () => {
    const { status, headers, bytes } = await ask('/errors/token_expired');
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.equal(String(bytes), '# token_expired\n\n–');
    for (const path of ['/errors/moon_phase', '/errors/', '/errors/../secret', '/errors/token_expired.txt'])
      assert.equal((await ask(path)).status, 404, path);
  });

  it('takes the slash from the end of the address of a page, and keeps what follows', async () => {
    for (const [path, page] of [
      ['/viewer/?streamId=main%2Fa&token=b', '/viewer?streamId=main%2Fa&token=b'],
      ['/broadcaster/', '/broadcaster'],
      ['/scheduled/abc-1/', '/scheduled/abc-1'],
      ['/api/docs//', '/api/docs'],
    ] as const) {
      const { status, headers } = await ask(path);
      assert.deepEqual([path, status, headers.location], [path, 308, page]);
    }
    for (const path of ['//other.example/', '/viewer/../x/', '/scheduled/a/b/'])
      assert.equal((await ask(path)).status, 404, path);
  });

  it('has an ETag for each encoding, and answers 304 if the ETag matches', async () => {
    const tags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const first = await ask('/streamgate.js', { 'accept-encoding': accepted });
      const etag = first.headers['etag']!;
      tags.add(etag);
      const again = await ask('/streamgate.js', { 'accept-encoding': accepted, 'if-none-match': etag });
      assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, etag]);
      const other = await ask('/streamgate.js', { 'accept-encoding': accepted, 'if-none-match': '"other"' });
      assert.equal(other.status, 200);
    }
    assert.equal(tags.size, 3);
  });

  it('sends a page again after another build of the same size and time', async () => {
    const { etag } = (await ask('/viewer')).headers;
    const old = FILES['viewer.html']!;
    port = await serve({ ...FILES, 'viewer.html': old.replace('>1<', '>2<') });
    const { status, bytes } = await ask('/viewer', { 'if-none-match': etag! });
    assert.deepEqual([status, bytes.length, bytes.includes('>2<')], [200, old.length, true]);
  });

  it('answers HEAD as GET, without the body', async () => {
    const headers = { 'accept-encoding': 'br' };
    const [head, get] = [await ask('/streamgate.js', headers, 'HEAD'), await ask('/streamgate.js', headers)];
    assert.equal(head.bytes.length, 0);
    const { date: _one, ...headHeaders } = head.headers;
    const { date: _other, ...getHeaders } = get.headers;
    assert.deepEqual(headHeaders, getHeaders);
  });

  it('lets files with a version or hash in their name be cached for a year, and others for minutes', async () => {
    const kept = async (path: string) => (await ask(path)).headers['cache-control'];
    for (const path of ['/streamgate-1.2.3-rc.1.js', '/i18n/de-1.2.3-rc.1.js', '/assets/dashboard-a1b2.js'])
      assert.equal(await kept(path), 'public, max-age=31536000, immutable', path);
    for (const path of ['/streamgate.js', '/hls-player.js', '/i18n/de.js', '/streamgate-integrity.json'])
      assert.equal(await kept(path), 'public, max-age=300', path);
    assert.equal(await kept('/viewer'), 'no-cache');
  });

  it('serves files to pages of every origin', async () => {
    for (const path of [
      '/streamgate.js',
      '/hls-player.js',
      '/i18n/de.js',
      '/assets/icon-c3.svg',
      '/streamgate-integrity.json',
    ]) {
      const { headers } = await ask(path);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  for (const path of [
    '/streamgate-1.2.4.js',
    '/streamgate-.js',
    '/streamgate-undefined.js',
    '/i18n/fr-1.2.3-rc.1.js',
    '/i18n/fr.js',
    '/i18n',
    '/i18n/',
    '/assets/',
    '/integrity.json',
    '/streamgate.js.br',
    '/assets/dashboard-a1b2.js.gz',
    '/i18n/..%2fviewer.html',
    '/i18n/..%2f..%2fsecret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e%2fstreamgate.js',
    '/assets/constructor',
  ]) {
    it(`passes ${path} on to the app`, async () => {
      const { status, headers, bytes } = await ask(path);
      assert.deepEqual([status, String(bytes)], [404, 'not ours']);
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.equal(headers['cache-control'], undefined);
    });
  }

  it('lets every site and every file embed the viewer and the broadcaster, and no site the dashboard', async () => {
    const ancestors = async (path: string) => {
      const { headers } = await ask(path);
      assert.equal(headers['x-frame-options'], undefined);
      return /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy']))?.[1];
    };
    assert.equal(await ancestors('/viewer'), '* file:');
    assert.equal(await ancestors('/broadcaster'), '* file:');
    for (const path of ['/dashboard', '/dashboard/security']) assert.equal(await ancestors(path), "'none'");
    assert.equal(await ancestors('/api/docs'), "'none'");
  });

  it('answers every path of the dashboard with its page, and no path below', async () => {
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/security',
      '/dashboard/security/',
      '/dashboard/nothing',
    ]) {
      assert.equal((await ask(path)).status, 200, path);
    }
    for (const path of ['/dashboard/security/x', '/dashboards']) assert.equal((await ask(path)).status, 404, path);
  });

  it('allows the inline sources of a page in its policy', async () => {
    const policy = String((await ask('/viewer')).headers['content-security-policy']);
    assert.match(policy, /script-src 'self' 'sha256-[^']+';style-src 'self' 'sha256-[^']+';/);
    const other = String((await ask('/dashboard')).headers['content-security-policy']);
    assert.match(other, /script-src 'self';style-src 'self';/);
  });

  it('allows inline styles on the API page only, and inline scripts on no page', async () => {
    const policy = String((await ask('/api/docs')).headers['content-security-policy']);
    assert.match(policy, /default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';/);
    for (const path of ['/viewer', '/broadcaster', '/dashboard']) {
      assert.doesNotMatch(String((await ask(path)).headers['content-security-policy']), /unsafe/);
    }
  });

  it('refuses POST at the path of the API page', async () => {
    const { status, headers } = await ask('/api/docs', {}, 'POST');
    assert.deepEqual([status, headers['allow']], [405, 'GET']);
  });
});
