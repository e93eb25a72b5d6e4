import { test as base } from '@playwright/test';
import { openPlayground, type PlaygroundServer } from '../../../scripts/playground-server.ts';

/** A server of the playground, built from the current sources. The tests of a worker share it. */
export const test = base.extend<object, { playground: PlaygroundServer }>({
  playground: [
    async ({}, use) => {
      const playground = await openPlayground();
      await use(playground);
      await playground.close();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
