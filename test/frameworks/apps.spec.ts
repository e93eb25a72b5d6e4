import type { WebSocketRoute } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { folderOf } from '../../scripts/framework-apps.ts';
import type { OtherSite } from '../e2e/support/other-site.ts';
import { expectMovingPicture, phaseOf } from '../e2e/support/pages.ts';
import { CanvasBroadcaster } from '../e2e/support/canvas-broadcaster.ts';
import { expect, test as base } from '../e2e/support/test.ts';
import { NextApp, type NextMode } from './next-app.ts';

/** The applications: built files, or a server of their own. */
const APPS: Readonly<Record<string, { readonly folder: string } | { readonly mode: NextMode }>> = {
  react: { folder: 'react/dist' },
  vue: { folder: 'vue/dist' },
  svelte: { folder: 'svelte/dist' },
  angular: { folder: 'angular/dist' },
  html: { folder: 'html' },
  'Next.js': { mode: 'start' },
  'Next.js, mounting twice in development': { mode: 'dev' },
};
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** The server's address in the application without a build. */
const USUAL_ORIGIN = 'http://localhost:8080';

interface Access {
  readonly streams: readonly string[];
  readonly token?: string;
  readonly publishToken?: string;
}

interface Fixtures {
  /** Opens the application in the test's page, on a site of its own. Errors and console warnings fail the test. */
  open: (access: Access) => Promise<void>;
  /** Goes live with a cheap picture. Resolves when live. */
  onStage: (streamName: string) => Promise<CanvasBroadcaster>;
}

for (const [name, app] of Object.entries(APPS)) {
  let next: NextApp | undefined;
  const test = base.extend<Fixtures>({
    open: async ({ server, page, otherSite }, use) => {
      if ('folder' in app) publish(folderOf(app.folder), otherSite, server.origin);
      const address = next ? `${next.origin}/` : `${otherSite.origin}/index.html`;
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        // Messages of the browser and the tag about a refused call and its websocket.
        const isAnswer = /^(Failed to load resource|WebSocket connection to|<stream-\w+> on )/.test(message.text());
        const isNotice = next && message.text().startsWith('Lit is in dev mode.');
        if (['error', 'warning'].includes(message.type()) && !isAnswer && !isNotice) faults.push(message.text());
      });
      await use(async ({ streams, token = '', publishToken = '' }) => {
        const settings = { endpoint: server.origin, streams: streams.join(), token, 'publish-token': publishToken };
        await page.goto(`${address}#${new URLSearchParams(settings)}`);
      });
      expect(faults).toEqual([]);
    },
    onStage: async ({ server: { origin }, browser, tokens }, use) => {
      const stages: CanvasBroadcaster[] = [];
      await use(async (streamName) => {
        const stage = await CanvasBroadcaster.open(browser, {
          origin,
          streamName,
          token: await tokens.publish(streamName),
          number: 5,
        });
        stages.push(stage);
        await stage.goLive();
        return stage;
      });
      await Promise.all(stages.map((stage) => stage.close()));
    },
  });

  test.describe(`the app with ${name}`, () => {
    if ('mode' in app) {
      test.beforeAll(async () => {
        // In development, the server compiles the page at the first request.
        test.setTimeout(180_000);
        next = await NextApp.run(app.mode);
        await (await fetch(next.origin)).text();
      });
      test.afterAll(() => next?.close());

      test('is rendered on the server with tag and slot, and without the token', async ({ request }) => {
        const html = await (await request.get(next!.origin)).text();
        expect(html).toContain(
          '<stream-viewer><p slot="waiting">The doors are open. We begin at eight.</p></stream-viewer>',
        );
      });
    }

    test('waits, plays, switches to another stream, and ends its session when unmounted', async ({
      page,
      tokens,
      streamName,
      open,
      onStage,
    }) => {
      const [a, b] = [`${streamName}-a`, `${streamName}-b`] as const;
      const token = await tokens.subscribe(a, { streams: [a, b].map((one) => ({ streamName: one })) });
      await open({ streams: [a, b], token });
      await expect(page.getByText('Waiting', { exact: true })).toBeVisible();
      await expect(page.getByText('The doors are open.')).toBeVisible();

      const first = await onStage(a);
      await expect(page.getByText(`Live: ${a}`, { exact: true })).toBeVisible();
      await expect(page.getByText('1 watching', { exact: true })).toBeVisible();
      await expect(page.getByText('The doors are open.')).toBeHidden();
      await expectMovingPicture(page);
      expect(await page.content(), 'the token is in no markup').not.toContain(token);
      expect(await page.locator('stream-viewer').evaluate((element) => Reflect.get(element, 'controls'))).toBe(true);
      await expect.poll(() => first.viewers()).toBe(1);

      const second = await onStage(b);
      await page.getByRole('button', { name: `Switch to ${b}` }).click();
      await expect(page.getByText(`Live: ${b}`, { exact: true })).toBeVisible();
      await expect.poll(() => first.viewers()).toBe(0);
      await expect.poll(() => second.viewers()).toBe(1);

      await page.getByRole('button', { name: 'Leave' }).click();
      await expect(page.locator('stream-viewer')).toHaveCount(0);
      await expect.poll(() => second.viewers()).toBe(0);

      await page.getByRole('button', { name: 'Join' }).click();
      await expect.poll(() => second.viewers()).toBe(1);
    });

    test('shows that it reconnects while the connection is lost', async ({
      page,
      tokens,
      streamName,
      open,
      onStage,
    }) => {
      const sockets: WebSocketRoute[] = [];
      let isDown = false;
      await page.routeWebSocket(/\/ws\//, (socket) => {
        if (isDown) return void socket.close();
        socket.connectToServer();
        sockets.push(socket);
      });
      await page.route('**/api/director/**', (route) => (isDown ? route.abort() : route.continue()));
      await onStage(streamName);
      await open({ streams: [streamName], token: await tokens.subscribe(streamName) });
      await expect(page.getByText(`Live: ${streamName}`, { exact: true })).toBeVisible();
      isDown = true;
      for (const socket of sockets) await socket.close();
      await expect(page.getByText('Reconnecting', { exact: true })).toBeVisible();
      await expect(page.getByText(`Live: ${streamName}`, { exact: true })).toBeHidden();
      isDown = false;
      await expect(page.getByText(`Live: ${streamName}`, { exact: true })).toBeVisible();
    });

    test('shows the refusal code', async ({ page, streamName, open }) => {
      await open({ streams: [streamName], token: 'made-up' });
      await expect(page.getByText('Refused: token_unknown', { exact: true })).toBeVisible();
    });

    test('broadcasts a canvas until it is unmounted', async ({ page, tokens, streamName, open, watching }) => {
      await open({ streams: [streamName], publishToken: await tokens.publish(streamName) });
      await page.getByRole('button', { name: 'Go live' }).click();
      await expect(page.getByText(`Broadcasting: ${streamName}`, { exact: true })).toBeVisible();

      const viewer = await watching({ token: await tokens.subscribe(streamName) });
      await page.getByRole('button', { name: 'Leave' }).click();
      await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
    });
  });
}

function publish(folder: string, site: OtherSite, origin: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(file)];
    if (!type) continue;
    const body = readFileSync(join(folder, file), 'utf8').replaceAll(USUAL_ORIGIN, origin);
    site.put(`/${file.replaceAll('\\', '/')}`, { body, headers: { 'content-type': `${type}; charset=utf-8` } });
  }
}
