import { test as base } from '@playwright/test';
import { startServer, type ServerProcess } from '../../support/server-process.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import { OtherSite } from './other-site.ts';

interface Fixtures {
  /** Makes tokens by REST, with the API secret of account `main`. */
  tokens: RestTokens;
  /** A stream name nobody has used. */
  streamName: string;
  /** A website on another origin than the server's. */
  otherSite: OtherSite;
}

let names = 0;

/** One server for all tests of a file; each test works under a stream name of its own. */
export const test = base.extend<Fixtures, { server: ServerProcess; apiSecret: string }>({
  server: [
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  apiSecret: [
    async ({ server }, use) => {
      const { secret } = await server.cli('secret', 'create');
      await use(String(secret));
    },
    { scope: 'worker' },
  ],
  tokens: async ({ server, apiSecret }, use) => use(new RestTokens(server.origin, apiSecret)),
  streamName: async ({}, use) => use(`stream-${process.pid}-${(names += 1)}`),
  otherSite: async ({}, use) => {
    const site = await OtherSite.open();
    await use(site);
    await site.close();
  },
});

export { expect } from '@playwright/test';
