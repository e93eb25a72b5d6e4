import type { CDPSession, Page } from '@playwright/test';
import { goLive, openBroadcaster } from './support/pages.ts';
import { expect, test } from './support/test.ts';

/** As many as a page would have to show one after the other to run into trouble. */
const CYCLES = 500;
const AT_ONCE = 10;
/** What the first ones leave for good: compiled code, caches, what a language is made of. */
const WARM_UP = 50;

interface Memory {
  readonly bytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

test('a page that shows and drops a viewer 500 times holds no more than after 50', async ({
  server,
  tokens,
  streamName,
  context,
}) => {
  test.setTimeout(600_000);
  const broadcaster = await context.newPage();
  await openBroadcaster(broadcaster, { origin: server.origin, streamName, token: await tokens.publish(streamName) });
  await goLive(broadcaster);

  const page = await context.newPage();
  // Without a stream in its address: a page of the right origin that knows the tag, and shows none.
  await page.goto(`${server.origin}/viewer`);
  const devtools = await context.newCDPSession(page);
  await cycle(page, streamName, WARM_UP);
  const before = await memory(devtools);
  await cycle(page, streamName, CYCLES - WARM_UP);
  const after = await memory(devtools);

  expect(await page.locator('stream-viewer').count()).toBe(0);
  expect(after.nodes - before.nodes, 'DOM nodes').toBeLessThan(100);
  expect(after.listeners - before.listeners, 'listeners').toBeLessThan(50);
  // A viewer holds some 60 kB: not one in fifty may be left.
  expect(after.bytes - before.bytes, 'bytes of the heap').toBeLessThan(500_000);
});

/** Shows ten viewers until each has its picture, and drops them, again and again. */
async function cycle(page: Page, streamName: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    await page.evaluate(
      async ([name, atOnce]) => {
        const viewers = Array.from({ length: atOnce }, () =>
          Object.assign(document.createElement('stream-viewer'), {
            accountId: 'main',
            streamName: name,
            controls: true,
            muted: true,
          }),
        );
        document.body.append(...viewers);
        const until = async (isSo: () => boolean): Promise<void> => {
          while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
        };
        await until(() => viewers.every(({ phase, videoWidth }) => phase.name === 'live' && videoWidth > 0));
        for (const viewer of viewers) viewer.remove();
        await until(() => viewers.every(({ phase }) => phase.name === 'idle'));
      },
      [streamName, AT_ONCE] as const,
    );
  }
}

/** What is left when everything that can go has gone. */
async function memory(devtools: CDPSession): Promise<Memory> {
  await devtools.send('Performance.enable');
  for (let round = 0; round < 5; round += 1) {
    await devtools.send('HeapProfiler.collectGarbage');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
  const measured = { bytes: usedSize, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
  test.info().annotations.push({ type: 'memory', description: JSON.stringify(measured) });
  return measured;
}
