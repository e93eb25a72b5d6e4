import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** As many as a page would have to show one after the other to run into trouble. */
const CYCLES = 500;
const AT_ONCE = 10;
/** What the first ones leave for good: compiled code, caches, what a language is made of. */
const WARM_UP = 50;

interface Memory {
  /** Of the heap. */
  readonly bytes: number;
  /** Of the DOM. */
  readonly nodes: number;
  readonly listeners: number;
}

/** What may be there afterwards that was not there before. A viewer holds some 60 kB: not one in fifty may be left. */
const MOST: Memory = { bytes: 500_000, nodes: 100, listeners: 50 };

test('a page that adds and removes 500 viewers uses no more memory than after 50', async ({
  server,
  streamName,
  context,
  page,
  broadcast,
}) => {
  test.setTimeout(600_000);
  await broadcast();
  // Without a stream in its address: a page of the right origin that knows the tag, and shows none.
  await page.goto(`${server.origin}/viewer`);
  const devtools = await context.newCDPSession(page);
  await cycle(page, streamName, WARM_UP);
  const before = await settled(devtools);
  await cycle(page, streamName, CYCLES - WARM_UP);

  // What is kept for good is in every count, however often it is taken: one that is low enough is the proof.
  const tooMuch = async () => {
    const { bytes, nodes, listeners } = await memory(devtools);
    const more = { bytes: bytes - before.bytes, nodes: nodes - before.nodes, listeners: listeners - before.listeners };
    state(more);
    return Object.entries(more).filter(([what, count]) => !(count < MOST[what as keyof Memory]));
  };
  await expect.poll(tooMuch, { message: 'what is left over' }).toEqual([]);
  // Not before: what playwright looks with stays in the page, and is larger than what is measured.
  await expect(page.locator('stream-viewer')).toHaveCount(0);
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
            autoplay: true,
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

/** What is left now that what can go has gone. Some of it goes only when another thread is done with it. */
async function memory(devtools: CDPSession): Promise<Memory> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
  return { bytes: usedSize, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

/** The least that there is: no more goes, however often what can go is collected. */
async function settled(devtools: CDPSession): Promise<Memory> {
  await devtools.send('Performance.enable');
  let least = await memory(devtools);
  let unchanged = 0;
  const rounds = async (): Promise<number> => {
    const { bytes, nodes, listeners } = await memory(devtools);
    // Asking leaves some bytes behind, too.
    const less = bytes < least.bytes - 1_000 || nodes < least.nodes || listeners < least.listeners;
    unchanged = less ? 0 : unchanged + 1;
    least = {
      bytes: Math.min(bytes, least.bytes),
      nodes: Math.min(nodes, least.nodes),
      listeners: Math.min(listeners, least.listeners),
    };
    return unchanged;
  };
  await expect.poll(rounds, { message: 'nothing more goes', intervals: [100] }).toBeGreaterThanOrEqual(10);
  state(least);
  return least;
}

function state(memory: Memory): void {
  test.info().annotations.push({ type: 'memory', description: JSON.stringify(memory) });
}
