import { openPlayground, type PlaygroundServer } from '../../../scripts/playground-server.ts';
import { test as base } from './test.ts';

/** A server of the playground, built from the current sources, in front of the worker's server. The tests share it. */
export const test = base.extend<object, { playground: PlaygroundServer }>({
  playground: [
    async ({ server }, use) => {
      const playground = await openPlayground({ server: server.origin });
      await use(playground);
      await playground.close();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
