import type { CDPSession, Page } from '@playwright/test';
import { PacketBroadcast } from '../support/packet-broadcast.ts';
import { expect, test } from '../support/test.ts';

const CYCLES = 120;
const AT_ONCE = 10;
/** The first viewers leave compiled code, caches and messages in memory. */
const WARM_UP = 40;

interface Memory {
  /** The used heap. */
  readonly bytes: number;
  /** The nodes of the DOM. */
  readonly nodes: number;
  readonly listeners: number;
}

/** The allowed growth. A viewer takes about 60 kB, so fewer than one in nine may remain. */
const MAX_GROWTH: Memory = { bytes: 500_000, nodes: 100, listeners: 50 };

test('a page that adds and removes 120 viewers uses no more memory than after 40', async ({
  address,
  context,
  page,
}) => {
  const { origin, streamName } = address;
  const broadcaster = await PacketBroadcast.begin(address);
  // Without a stream in its address, the page registers the tag and shows no viewer.
  await page.goto(`${origin}/viewer`);
  const devtools = await context.newCDPSession(page);
  await cycle(page, streamName, WARM_UP);
  const before = await smallestMemory(devtools);
  await cycle(page, streamName, CYCLES - WARM_UP);

  // Memory that is never freed is part of every measurement, so one measurement that is low enough is the proof.
  const leaks = async () => {
    const { bytes, nodes, listeners } = await memory(devtools);
    const more = { bytes: bytes - before.bytes, nodes: nodes - before.nodes, listeners: listeners - before.listeners };
    state(more);
    return Object.entries(more).filter(([kind, count]) => !(count < MAX_GROWTH[kind as keyof Memory]));
  };
  await expect.poll(leaks, { message: 'growth above the limit' }).toEqual([]);
  await broadcaster.end();
  // Checked last: playwright's own script for locators stays in the page, and is larger than the limit.
  await expect(page.locator('stream-viewer')).toHaveCount(0);
});

/** Repeats: adds ten viewers, waits until each shows a picture, and removes them. */
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
        const until = async (condition: () => boolean): Promise<void> => {
          while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
        };
        await until(() => viewers.every(({ phase, videoWidth }) => phase.name === 'live' && videoWidth > 0));
        for (const viewer of viewers) viewer.remove();
        await until(() => viewers.every(({ phase }) => phase.name === 'idle'));
      },
      [streamName, AT_ONCE] as const,
    );
  }
}

/** Measures after a garbage collection. Some objects are freed only when another thread has released them. */
async function memory(devtools: CDPSession): Promise<Memory> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
  return { bytes: usedSize, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

/** Repeats the measurement until the memory no longer shrinks. */
async function smallestMemory(devtools: CDPSession): Promise<Memory> {
  await devtools.send('Performance.enable');
  let least = await memory(devtools);
  let unchanged = 0;
  const rounds = async (): Promise<number> => {
    const { bytes, nodes, listeners } = await memory(devtools);
    // The measurement itself allocates some bytes.
    const less = bytes < least.bytes - 1_000 || nodes < least.nodes || listeners < least.listeners;
    unchanged = less ? 0 : unchanged + 1;
    least = {
      bytes: Math.min(bytes, least.bytes),
      nodes: Math.min(nodes, least.nodes),
      listeners: Math.min(listeners, least.listeners),
    };
    return unchanged;
  };
  await expect.poll(rounds, { message: 'the memory no longer shrinks', intervals: [100] }).toBeGreaterThanOrEqual(10);
  state(least);
  return least;
}

function state(memory: Memory): void {
  test.info().annotations.push({ type: 'memory', description: JSON.stringify(memory) });
}
