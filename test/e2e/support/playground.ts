import { test as base } from '@playwright/test';
import { openPlayground, type PlaygroundServer } from '../../../scripts/playground-server.ts';

/** The playground, built as it is now; one for all tests of a file. */
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
