import { test as base, type Page } from '@playwright/test';
import { startServer, type ServerProcess } from '../../support/server-process.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import { serveSdkPage } from '../../support/sdk-page.ts';
import { serveWhipWhepPage } from '../../support/whip-whep-page.ts';
import { OtherSite } from './other-site.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, type StreamAddress } from './pages.ts';
import { installSdkApp } from './sdk-app.ts';

interface Fixtures {
  /** Creates tokens over REST with the API secret of account `main`. */
  tokens: RestTokens;
  /** A stream name that no other test uses, and that is part of no other. */
  streamName: string;
  /** The stream, with a publish token. */
  address: StreamAddress;
  /** A website on another origin than the server's. */
  otherSite: OtherSite;
  /** Goes live under the stream's name in a new page or the given one. Resolves when media flows. */
  broadcast: (options?: { page?: Page; restrictions?: object }) => Promise<Page>;
  /** Opens a viewer of the stream in a new page or the given one. Resolves when the picture moves. */
  watching: (options?: { page?: Page; token?: string | undefined }) => Promise<Page>;
}

interface WorkerFixtures {
  /** Environment variables of the server, beside those that every test needs. */
  environment: Record<string, string>;
  server: ServerProcess;
  apiSecret: string;
  /** Pages of other sites: with the unmodified SDK, and with the unmodified clients of `whip-whep`. */
  sdkPage: string;
  whipWhepPage: string;
}

let names = 0;

/**
 * One server for all tests of a worker. Each test has a stream name of its own. Whatever a worker shares is here, also if
 * one file uses it: playwright starts another worker, browser and server for a file with worker fixtures of its own.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  environment: [{}, { scope: 'worker', option: true }],
  server: [
    async ({ environment }, use) => {
      const server = await startServer(environment);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  apiSecret: [
    async ({ server }, use) => {
      const { secret } = await server.cli('secret', 'create', '--account', 'main');
      await use(String(secret));
    },
    { scope: 'worker' },
  ],
  sdkPage: [
    async ({}, use) => {
      const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
      await use(url);
      stop();
    },
    { scope: 'worker' },
  ],
  whipWhepPage: [
    async ({}, use) => {
      const { url, stop } = await serveWhipWhepPage();
      await use(url);
      stop();
    },
    { scope: 'worker' },
  ],
  tokens: async ({ server, apiSecret }, use) => use(new RestTokens(server.origin, apiSecret)),
  streamName: async ({}, use) => use(`stream-${process.pid}-${(names += 1)}x`),
  address: async ({ server: { origin }, tokens, streamName }, use) =>
    use({ origin, streamName, token: await tokens.publish(streamName) }),
  otherSite: async ({}, use) => {
    const site = await OtherSite.open();
    await use(site);
    await site.close();
  },
  broadcast: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async ({ page: given, restrictions } = {}) => {
      const page = given ?? (await context.newPage());
      await openBroadcaster(page, { origin, streamName, token: await tokens.publish(streamName, restrictions) });
      await goLive(page);
      return page;
    }),
  watching: async ({ server: { origin }, streamName, context }, use) =>
    use(async ({ page: given, token } = {}) => {
      const page = given ?? (await context.newPage());
      await openViewer(page, { origin, streamName, token });
      await expectMovingPicture(page);
      return page;
    }),
});

export { expect } from './expect.ts';
