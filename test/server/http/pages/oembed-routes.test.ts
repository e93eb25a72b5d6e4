import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { pino } from 'pino';
import { ApiError } from '../../../../server/errors.js';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { oembedRoutes } from '../../../../server/http/pages/oembed-routes.js';
import { playerSize } from '../../../../src/wire/oembed.js';
import { NO_THEME, type Theme } from '../../../../server/accounts/theme/theme.js';
import type { StillReader } from '../../../../server/http/stills/still-reader.js';
import { jpegHeader, webpHeader } from '../../../support/images.js';
import { Cleanup } from '../../../support/cleanup.js';

const ORIGIN = 'https://live.example.com';
const LINK = `${ORIGIN}/viewer?streamId=main/keynote`;

describe('oEmbed', () => {
  const cleanup = new Cleanup();
  let theme: Theme;
  /** What guests may know of every stream, and its picture. */
  let shown: { live: boolean; requiresToken: boolean };
  let stills: StillReader;
  let asked: unknown[];
  beforeEach(() => {
    theme = NO_THEME;
    shown = { live: false, requiresToken: false };
    asked = [];
    stills = {
      get: async (...still) => void asked.push(still),
      getJpeg: async (...still) => void asked.push(still),
    };
  });
  afterEach(() => cleanup.run());

  const jpeg = jpegHeader(1280, 720);
  const withoutJpeg = async () => {
    throw new ApiError(501, 'jpeg_unavailable', 'no ffmpeg');
  };
  const live = () => (shown = { live: true, requiresToken: false });
  const thumbnailOf = async (query: Record<string, string> = {}) => {
    const {
      thumbnail_url: url,
      thumbnail_width: width,
      thumbnail_height: height,
    } = (await ask({ url: LINK, ...query })).body;
    return url === undefined ? undefined : [url, width, height];
  };

  const listening = async (publicUrl?: string) => {
    const app = express();
    app.use(
      oembedRoutes({
        publicUrl,
        themes: { shown: async () => theme },
        admission: { shownToGuests: () => shown },
        streams: { firstSourceOf: () => 'camera' },
        stills,
        turn: async () => {},
      }),
    );
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

  it('shows the present picture of a live stream that everybody may watch', async () => {
    live();
    stills.getJpeg = async (...still) => {
      asked.push(still);
      return jpeg;
    };
    assert.deepEqual(await thumbnailOf(), [`${ORIGIN}/api/still/main/keynote?format=jpeg`, 1280, 720]);
    assert.deepEqual(asked, [['main/keynote', 'camera', 10_000]]);
  });

  it('shows it as WebP where the server cannot make JPEG', async () => {
    live();
    stills.getJpeg = withoutJpeg;
    stills.get = async () => ({ type: 'image/webp', bytes: webpHeader('VP8 ', 640, 360) });
    assert.deepEqual(await thumbnailOf(), [`${ORIGIN}/api/still/main/keynote`, 640, 360]);
  });

  it('shows none that is no image, is larger than asked for, or cannot be had', async () => {
    live();
    stills.getJpeg = async () => jpeg;
    assert.notEqual(await thumbnailOf({ maxwidth: '1280', maxheight: '720' }), undefined);
    assert.equal(await thumbnailOf({ maxwidth: '1279' }), undefined);
    assert.equal(await thumbnailOf({ maxheight: '719' }), undefined);
    stills.getJpeg = withoutJpeg;
    stills.get = async () => ({ type: 'video/mp4', bytes: jpeg });
    assert.equal(await thumbnailOf(), undefined);
    stills.get = async () => {
      throw new ApiError(503, 'engine_unavailable', 'none');
    };
    assert.equal(await thumbnailOf(), undefined);
  });

  it('asks for no picture of a stream that is not live, or not for everybody', async () => {
    assert.equal(await thumbnailOf(), undefined);
    shown = { live: false, requiresToken: true };
    assert.equal(await thumbnailOf(), undefined);
    assert.deepEqual(asked, []);
  });

  it('names a stream with slashes as the address of its picture does', async () => {
    live();
    stills.getJpeg = async () => jpeg;
    const link = `${ORIGIN}/viewer?${new URLSearchParams({ streamId: 'main/a b/c?' })}`;
    const { thumbnail_url: url } = (await ask({ url: link })).body;
    assert.equal(url, `${ORIGIN}/api/still/main/a%20b/c%3F?format=jpeg`);
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
