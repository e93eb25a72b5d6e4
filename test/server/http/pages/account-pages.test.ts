import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { pageRoutes } from '../../../../server/http/pages/page-routes.js';
import { pageHead } from '../../../../server/http/pages/page-head.js';
import { PageTemplate } from '../../../../server/http/pages/page-template.js';
import { logoPath, NO_THEME, type Theme } from '../../../../server/accounts/theme/theme.js';
import { anyCharacter } from '../../../support/any-character.js';
import { Cleanup } from '../../../support/cleanup.js';
import { unknownStream } from '../../../support/scheduled-stream.js';
import { dataFolder } from '../../../support/data-folder.js';

const ICON = '<link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />';
const PAGE = `<!doctype html><html><head>${ICON}<script type="module">1</script></head><body></body></html>`;
const LOGO = { type: 'image/png', bytes: Buffer.from('\x89PNG\r\n\x1a\nimage', 'latin1') } as const;
const THEME: Theme = { name: 'ACME', accent: '#006600', background: '#102030', logo: LOGO };
const STREAM = '/viewer?streamId=acme/keynote';

describe('a hosted page of an account', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** Only the account acme has a theme. */
  const serve = async (theme: Theme = THEME, built = PAGE) => {
    const publicDir = join(await dataFolder(cleanup), 'public');
    await mkdir(publicDir);
    for (const name of ['viewer', 'broadcaster']) await writeFile(join(publicDir, `${name}.html`), built);
    const app = express();
    app.disable('etag');
    const schedule = { announced: unknownStream };
    const themes = { shown: async (account: string) => (account === 'acme' ? theme : NO_THEME) };
    app.use(pageRoutes({ publicDir, publicUrl: 'https://live.example.com', themes, schedule, turn: async () => {} }));
    app.use((_req, res) => void res.status(404).send('not ours'));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(origin + path, { headers, method });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes, text: String(bytes) };
    };
    return Object.assign(ask, { origin });
  };

  it('has the colours, the name and the logo of its theme', async () => {
    const { text, headers } = await (await serve())(STREAM);
    assert.match(text, /<style>:root,stream-viewer\{[^<]*--stream-accent:#006600;[^<]*--ground:#102030;/);
    assert.ok(text.includes('<meta name="application-name" content="ACME" />'));
    assert.ok(text.includes(`<link rel="icon" href="${logoPath('acme', LOGO)}" data-logo />`));
    assert.ok(!text.includes(ICON));
    // The policy allows the style by its hash.
    assert.match(headers.get('content-security-policy')!, /style-src 'self' 'sha256-[^']+'/);
    assert.equal(headers.get('cache-control'), 'no-cache');
  });

  it('leaves the properties of the player alone that the player makes of the accent itself', () => {
    const { tags } = pageHead({ accountId: 'acme', theme: { ...NO_THEME, accent: '#0b6e4f' } });
    assert.equal(
      tags,
      '<style>:root,stream-viewer{--stream-accent:#0b6e4f}:root{--accent:#09563e;--accent-strong:#084935}</style>',
    );
    const onGround = pageHead({ accountId: 'acme', theme: { ...NO_THEME, background: '#102030' } }).tags;
    assert.match(onGround, /^<style>:root,stream-viewer\{color-scheme:only dark;[^{]*\}:root,body\{/);
  });

  it('is what other sites show of a link to it, without its token', async () => {
    const { text } = await (await serve())(`${STREAM}&token=sesame`);
    for (const tag of [
      '<meta property="og:title" content="keynote" />',
      '<meta property="og:site_name" content="ACME" />',
      '<meta property="og:url" content="https://live.example.com/viewer?streamId=acme%2Fkeynote" />',
      `<meta property="og:image" content="https://live.example.com${logoPath('acme', LOGO)}" />`,
    ])
      assert.ok(text.includes(tag), tag);
    assert.ok(!text.includes('sesame'));
  });

  it('of a viewer names the answer of oEmbed in a header, without the token', async () => {
    const ask = await serve();
    const url = encodeURIComponent('https://live.example.com/viewer?streamId=acme%2Fkeynote');
    const expected = `<https://live.example.com/oembed?url=${url}>; rel="alternate"; type="application/json+oembed"`;
    for (const [path, link] of [
      [STREAM, expected],
      [`${STREAM}&token=sesame`, expected],
      ['/viewer', null],
      ['/broadcaster?streamName=keynote&accountId=acme', null],
    ] as const)
      assert.equal((await ask(path)).headers.get('link'), link);
  });

  it('has a body of the length that it says, and none for HEAD', async () => {
    const ask = await serve();
    for (const accepted of ['gzip', 'identity']) {
      const { headers, bytes } = await ask(STREAM, { 'accept-encoding': accepted });
      if (accepted === 'identity') assert.equal(headers.get('content-length'), String(bytes.length));
      const head = await ask(STREAM, { 'accept-encoding': accepted }, 'HEAD');
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.equal(head.headers.get('content-length'), headers.get('content-length'));
      assert.equal(head.headers.get('etag'), headers.get('etag'));
    }
  });

  it('is the page of the build for an account without a theme, apart from the link that it describes', async () => {
    const ask = await serve();
    assert.equal((await ask('/viewer')).text, PAGE);
    assert.equal((await ask('/broadcaster?accountId=other')).text, PAGE);
    const { text } = await ask('/viewer?streamId=other/keynote');
    assert.ok(text.includes(ICON));
    assert.ok(text.includes('og:title'));
    assert.ok(!text.includes('<style>') && !text.includes('og:site_name'));
  });

  it('of a broadcaster has the theme of the account that the link names, and describes no link', async () => {
    const { text } = await (await serve())('/broadcaster?streamName=keynote&accountId=acme');
    assert.ok(text.includes('--stream-accent:#006600'));
    assert.ok(!text.includes('og:'));
  });

  it('is compressed as the browser accepts, and answers 304 if the ETag matches', async () => {
    const ask = await serve();
    const texts = new Set<string>();
    const tags = new Set<string>();
    for (const accepted of ['gzip', 'identity']) {
      const { headers, text } = await ask(STREAM, { 'accept-encoding': accepted });
      assert.equal(headers.get('content-encoding') ?? 'identity', accepted);
      const etag = headers.get('etag')!;
      // `fetch` would add no-cache, which asks for the whole page.
      const again = { 'accept-encoding': accepted, 'if-none-match': etag, 'cache-control': 'max-age=0' };
      assert.equal((await ask(STREAM, again)).status, 304);
      texts.add(text);
      tags.add(etag);
    }
    assert.deepEqual([texts.size, tags.size], [1, 2]);
  });

  it('costs about what the page of the build costs, for streams of names that nobody asked for before', async () => {
    // As long as the page of the viewer, with its script, and as hard to compress.
    const script = randomBytes(50_000).toString('hex');
    const { origin } = await serve(
      THEME,
      PAGE.replace('>1<', () => `>${script}<`),
    );
    // This process is the client too, and `fetch` would take most of the time to decompress.
    const ask = async (path: string): Promise<void> => {
      const [response] = await once(get(origin + path, { headers: { 'accept-encoding': 'gzip, br' } }), 'response');
      await once(response.resume(), 'end');
    };
    let asked = 0;
    const cpuOf = async (pathOf: (number: number) => string): Promise<number> => {
      const before = process.cpuUsage();
      for (let index = 0; index < 30; index++) await ask(pathOf((asked += 1)));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // Other processes only add to what is measured, so the cheapest of many rounds is the truest.
    let [built, ofStream] = [Infinity, Infinity];
    for (let round = 1; round <= 40 && !(round > 3 && ofStream < 2 * built); round++) {
      built = Math.min(built, await cpuOf(() => '/viewer'));
      ofStream = Math.min(ofStream, await cpuOf((number) => `/viewer?streamId=acme/keynote-${number}`));
    }
    assert.ok(ofStream < 2 * built, `${(ofStream / built).toFixed(1)} times as much`);
  });

  it('sends its logo as an image in which nothing runs, and no other version of it', async () => {
    const ask = await serve();
    const { headers, bytes } = await ask(logoPath('acme', LOGO));
    assert.deepEqual(bytes, LOGO.bytes);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.match(headers.get('cache-control')!, /immutable/);
    for (const path of ['/theme/acme/logo-other', '/theme/acme/logo', '/theme/other/logo-x', '/theme/acme/'])
      assert.equal((await ask(path)).status, 404, path);
  });
});

describe('the template of a page', () => {
  it('gives the same page in each coding, whatever is added', () => {
    const template = new PageTemplate(PAGE);
    const text = fc.string({ unit: anyCharacter, maxLength: 200_000 });
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (tags, icon) => {
        const plain = Buffer.concat(template.plain({ tags, icon }));
        assert.deepEqual(gunzipSync(Buffer.concat(template.gzip({ tags, icon }))), plain);
        const [before, after] = PAGE.replace(ICON, () => '\0').split('</head>');
        const page = `${before!.replace('\0', () => icon ?? ICON)}${tags}</head>${after}`;
        assert.deepEqual(plain, Buffer.from(page));
      }),
    );
  });
});

describe('the head of a page', () => {
  it('escapes every name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (name, title) => {
        const theme = { ...THEME, name: `"><script>${name}$&$\``, logo: null };
        const shared = { title: `</head><b>${title}$'`, url: 'https://live.example.com/', origin: '' };
        const head = pageHead({ accountId: 'acme', theme, shared });
        const page = String(Buffer.concat(new PageTemplate(PAGE).plain(head)));
        assert.ok(!head.tags.includes('<script>') && !head.tags.includes('</head>') && !head.tags.includes('<b>'));
        assert.equal(page.split('</head>').length, 2);
        assert.equal(
          page.replace(head.tags, () => ''),
          PAGE,
        );
      }),
    );
  });
});
