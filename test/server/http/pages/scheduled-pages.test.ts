import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import express from 'express';
import { pino } from 'pino';
import type { ScheduledStream } from '../../../../server/accounts/schedule/scheduled-stream.js';
import { NO_THEME } from '../../../../server/accounts/theme/theme.js';
import { DatabaseUnavailableError } from '../../../../server/errors.js';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { pageRoutes } from '../../../../server/http/pages/page-routes.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { aScheduledStream, scheduledIdOf, unknownStream } from '../../../support/scheduled-stream.js';

const PAGE = '<!doctype html><html><head><link rel="icon" href="/icon.svg" /></head><body></body></html>';
const STREAM = aScheduledStream({ title: 'Keynote & "more"' });
const PATH = `/scheduled/${STREAM.id}`;

describe('the page of a scheduled stream', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const known = async (id: string): Promise<ScheduledStream> => (id === STREAM.id ? STREAM : await unknownStream(id));

  const serve = async (announced = known) => {
    const publicDir = join(await dataFolder(cleanup), 'public');
    await mkdir(publicDir);
    await writeFile(join(publicDir, 'scheduled.html'), PAGE);
    const app = express();
    const themes = { shown: async () => ({ ...NO_THEME, name: 'ACME', background: '#102030' }) };
    app.use(
      pageRoutes({
        publicDir,
        publicUrl: 'https://live.example.com',
        themes,
        schedule: { announced },
        turn: async () => {},
      }),
    );
    app.use(errorHandler(pino({ level: 'silent' })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return async (path: string) => {
      const response = await fetch(origin + path);
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
  };

  it('has the theme of its account, and is shown by other sites with title and time, without a token', async () => {
    const { status, headers, text } = await (await serve())(`${PATH}?token=sesame`);
    assert.equal(status, 200);
    for (const tag of [
      '<meta name="application-name" content="ACME" />',
      '<meta property="og:title" content="Keynote &amp; &quot;more&quot;" />',
      `<meta property="og:url" content="https://live.example.com${PATH}" />`,
      '--ground:#102030',
    ])
      assert.ok(text.includes(tag), `${tag} in ${text}`);
    // Versions of ICU differ in their commas.
    assert.match(text, /<meta property="og:description" content="Saturday,? 5 December 2026,? (at )?19:00 UTC" \/>/);
    assert.ok(!text.includes('sesame'));
    assert.match(headers.get('content-security-policy')!, /default-src 'none'.*frame-ancestors \*/);
  });

  it('is there with status 404 for an unknown id, so that it can say so in the language of the visitor', async () => {
    const ask = await serve();
    for (const id of [scheduledIdOf(2), 'x', '%00', 'a%2Fb']) {
      const { status, text } = await ask(`/scheduled/${id}`);
      assert.deepEqual([status, text], [404, PAGE], id);
    }
  });

  it('is there without the database too, as it is built', async () => {
    const ask = await serve(() => Promise.reject(new DatabaseUnavailableError()));
    const { status, text } = await ask(PATH);
    assert.deepEqual([status, text], [200, PAGE]);
    assert.equal((await ask(`${PATH}.ics`)).status, 503);
  });

  it('has a calendar file to download, with a link without a token', async () => {
    const { status, headers, text } = await (await serve())(`${PATH}.ics?token=sesame`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename=stream.ics');
    assert.ok(text.replaceAll(/\r\n /g, '').includes(`URL;VALUE=URI:https://live.example.com${PATH}\r\n`), text);
    assert.ok(!text.includes('sesame'));
  });

  it('has no calendar file for an unknown id', async () => {
    const { status, text } = await (await serve())(`/scheduled/${scheduledIdOf(2)}.ics`);
    assert.deepEqual([status, JSON.parse(text).data.code], [404, 'scheduled_stream_not_found']);
  });
});
