import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { pino } from 'pino';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { oembedRoutes } from '../../../../server/http/pages/oembed-routes.js';
import { playerSize } from '../../../../src/wire/oembed.js';
import { NO_THEME, type Theme } from '../../../../server/accounts/theme/theme.js';
import { Cleanup } from '../../../support/cleanup.js';

const ORIGIN = 'https://live.example.com';
const LINK = `${ORIGIN}/viewer?streamId=main/keynote`;

describe('oEmbed', () => {
  const cleanup = new Cleanup();
  let theme: Theme;
  beforeEach(() => (theme = NO_THEME));
  afterEach(() => cleanup.run());

  const listening = async (publicUrl?: string) => {
    const app = express();
    app.use(oembedRoutes(publicUrl, { shown: async () => theme }));
    app.use(errorHandler(pino({ level: 'silent' })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const ask = async (query: Record<string, string>, publicUrl: string | undefined = ORIGIN) => {
    const response = await fetch(`${await listening(publicUrl)}/oembed?${new URLSearchParams(query)}`);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const htmlFor = async (link: string): Promise<string> => (await ask({ url: link })).body.html;

  it('answers a viewer link with a frame', async () => {
    assert.deepEqual(await ask({ url: LINK, format: 'json' }), {
      status: 200,
      body: {
        version: '1.0',
        type: 'video',
        title: 'keynote',
        provider_name: 'Streamgate',
        provider_url: ORIGIN,
        html: `<iframe src="${ORIGIN}/viewer?streamId=main%2Fkeynote" title="keynote" allow="autoplay; fullscreen; picture-in-picture" width="640" height="360" style="max-width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0"></iframe>`,
        width: 640,
        height: 360,
      },
    });
  });

  it('names the account by its theme', async () => {
    theme = { ...NO_THEME, name: 'ACME <live>' };
    assert.equal((await ask({ url: LINK })).body.author_name, 'ACME <live>');
  });

  it('leaves the token of a link out', async () => {
    for (const link of [`${LINK}#token=sesame`, `${LINK}&token=sesame`, `${LINK}?token=sesame`])
      assert.equal(await htmlFor(link), await htmlFor(LINK));
  });

  it('escapes the name of the stream', async () => {
    const name = `"><script>alert('1')</script>&🎤`;
    const html = await htmlFor(`${ORIGIN}/viewer?${new URLSearchParams({ streamId: `main/${name}` })}`);
    assert.match(html, / title="&quot;&gt;&lt;script&gt;alert\('1'\)&lt;\/script&gt;&amp;🎤" /);
    assert.doesNotMatch(html, /<script/);
  });

  it('fits the player into the size that the site has', async () => {
    const { width, height, html } = (await ask({ url: LINK, maxwidth: '320', maxheight: '1000' })).body;
    assert.deepEqual([width, height], [320, 180]);
    assert.match(html, / width="320" height="180" /);
  });

  it('makes a player that is never larger than asked for, and never empty', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99_999 }), (maxwidth, maxheight) => {
        const { width, height } = playerSize({ maxwidth, maxheight });
        assert.ok(width >= 1 && height >= 1 && width <= Math.min(640, maxwidth) && height <= Math.min(360, maxheight));
      }),
    );
  });

  for (const [what, url] of [
    ['of another server', 'https://other.example.com/viewer?streamId=main/keynote'],
    ['of another page', `${ORIGIN}/broadcaster?streamName=keynote`],
    ['without a stream', `${ORIGIN}/viewer`],
    ['that is no URL', 'keynote'],
  ] as const) {
    it(`refuses a link ${what}`, async () => {
      const { status, body } = await ask({ url });
      assert.deepEqual([status, body.data.code], [404, 'link_unknown']);
    });
  }

  it('refuses XML and sizes that are no numbers', async () => {
    for (const query of [{ format: 'xml' }, { maxwidth: '-1' }, { maxheight: 'many' }]) {
      const { status, body } = await ask({ url: LINK, ...query });
      assert.deepEqual([status, body.data.code], [400, 'invalid_request']);
    }
  });

  it('takes the origin of the request without a public URL', async () => {
    const origin = await listening();
    const url = encodeURIComponent(`${origin}/viewer?streamId=main/keynote`);
    const { provider_url: provider } = await (await fetch(`${origin}/oembed?url=${url}`)).json();
    assert.equal(provider, origin);
  });
});
