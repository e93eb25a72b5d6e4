import type { BrowserContext, Page } from '@playwright/test';
import { PageOfViewers, expectViewerCount, expectAllPlay } from '../support/page-of-viewers.ts';
import { mediaProcesses } from '../support/media-processes.ts';
import { countCalls } from '../support/event-log.ts';
import { mediaFlows, type StreamAddress } from '../support/pages.ts';
import { CanvasBroadcaster } from '../support/canvas-broadcaster.ts';
import { expect, test as base } from '../support/test.ts';

interface ViewerPage {
  readonly page: Page;
  readonly viewers: PageOfViewers;
}

interface Fixtures {
  /** Opens a broadcaster that shows this number, without going live. */
  openBroadcaster: (number: number) => Promise<CanvasBroadcaster>;
  /** Goes live and opens viewers. Resolves when all of them show the broadcaster's picture. */
  openViewers: (broadcaster: CanvasBroadcaster, count: number) => Promise<readonly ViewerPage[]>;
}

const test = base.extend<Fixtures>({
  openBroadcaster: async ({ server: { origin }, tokens, streamName, browser }, use) => {
    const token = await tokens.publish(streamName);
    await use((number) => CanvasBroadcaster.open(browser!, { origin, streamName, token, number }));
  },
  openViewers: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async (broadcaster, count) => {
      await broadcaster.goLive();
      await mediaFlows({ origin, streamName });
      const token = await tokens.subscribe(streamName);
      const pages = await openPages(context, count, { origin, streamName, token });
      await expectAllPlay(
        pages.map(({ viewers }) => viewers),
        broadcaster.number,
      );
      return pages;
    }),
});

// The server keeps the name of a lost broadcaster for the shortest possible time.
test.use({ environment: { MEDIA_WORKERS: '2', RESUME_WITHIN_S: '1' } });

/** Chromium delays websockets while a page opens more than about sixteen. */
const VIEWERS_PER_PAGE = 10;

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** Reports figures that depend on the machine, and are not tested. */
function report(what: string, waits: readonly number[]): void {
  const sorted = waits.toSorted((a, b) => a - b);
  const [half, last] = [sorted[sorted.length >> 1], sorted.at(-1)];
  const description = `${what}: half of them play again after ${half} ms, the last after ${last} ms`;
  test.info().annotations.push({ type: 'measured', description });
  process.stdout.write(`  ${description}\n`);
}

/** Opens viewers on several pages. The viewers of every other page have no token. */
async function openPages(
  context: BrowserContext,
  count: number,
  { origin, streamName, token }: StreamAddress,
): Promise<ViewerPage[]> {
  const pages: ViewerPage[] = [];
  for (let index = 0; index < count / VIEWERS_PER_PAGE; index++) {
    const page = await context.newPage();
    const tokens = times(VIEWERS_PER_PAGE, index % 2 ? undefined : token);
    pages.push({ page, viewers: await PageOfViewers.open(page, { origin, streamName, tokens }) });
  }
  return pages;
}

/** The names of all phases that viewers were in. */
async function phaseNames(pages: readonly PageOfViewers[]): Promise<string[]> {
  return [...new Set((await Promise.all(pages.map((page) => page.phases()))).flat(2))];
}

async function allReconnect(pages: readonly PageOfViewers[]): Promise<void> {
  const unaware = async () =>
    (await Promise.all(pages.map((page) => page.phases()))).flat().filter((names) => !names.includes('reconnecting'))
      .length;
  await expect.poll(unaware, { message: 'every viewer lost its connection', intervals: [100] }).toBe(0);
}

test('twenty viewers see each of twenty restarts of a broadcaster', async ({ openBroadcaster, openViewers }) => {
  test.setTimeout(240_000);
  let broadcaster = await openBroadcaster(0);
  const allViewers = (await openViewers(broadcaster, 20)).map(({ viewers }) => viewers);

  const waits: number[] = [];
  let next = await openBroadcaster(1);
  for (let number = 1; number <= 20; number++) {
    await broadcaster.kill();
    const [durations, , , afterNext] = await Promise.all([
      expectAllPlay(allViewers, number),
      next.goLive(),
      broadcaster.close(),
      openBroadcaster(number + 1),
    ]);
    waits.push(...durations);
    [broadcaster, next] = [next, afterNext];
  }
  await next.close();
  report('a broadcaster was killed 20 times', waits);

  await expectViewerCount(allViewers, 20);
  await expect.poll(() => broadcaster.viewers()).toBe(20);
  expect(await phaseNames(allViewers), 'no viewer had to reconnect').not.toContain('reconnecting');
  expect(await phaseNames(allViewers)).not.toContain('rejected');
  await broadcaster.close();
});

test('twenty viewers and their broadcaster reconnect after every media process is killed', async ({
  server,
  openBroadcaster,
  openViewers,
}) => {
  const broadcaster = await openBroadcaster(21);
  const allViewers = (await openViewers(broadcaster, 20)).map(({ viewers }) => viewers);

  const killed = performance.now();
  for (const pid of mediaProcesses(server).values()) process.kill(pid, 'SIGKILL');
  await allReconnect(allViewers);
  const noticed = Math.round(performance.now() - killed);
  const waits = (await expectAllPlay(allViewers, broadcaster.number)).map((wait) => noticed + wait);
  report('all media processes were killed', waits);
  await expectViewerCount(allViewers, 20);
  await expect.poll(() => broadcaster.viewers()).toBe(20);
  expect(await phaseNames(allViewers)).not.toContain('rejected');
  await broadcaster.close();
});

test('fifty viewers reconnect after the server is killed, with at most one call for each wait', async ({
  server,
  openBroadcaster,
  openViewers,
}) => {
  const broadcaster = await openBroadcaster(22);
  const pages = await openViewers(broadcaster, 50);
  const allViewers = pages.map(({ viewers }) => viewers);
  const calls = pages.map(({ page }) => countCalls(page));

  const killed = performance.now();
  await server.restart('SIGKILL');
  await allReconnect(allViewers);
  const noticed = Math.round(performance.now() - killed);
  const waits = (await expectAllPlay(allViewers, broadcaster.number)).map((wait) => noticed + wait);
  const seconds = Math.max(...waits) / 1_000;
  const requests = calls.reduce((sum, count) => sum + count(), 0);
  report(`the server was killed and back after ${noticed} ms; the director was called ${requests} times`, waits);
  await expectViewerCount(allViewers, 50);
  await expect.poll(() => broadcaster.viewers()).toBe(50);
  expect(await phaseNames(allViewers)).not.toContain('rejected');
  for (const [index, viewers] of allViewers.entries()) {
    const steps = (await viewers.phases()).map((names) => names.filter((name) => name === 'reconnecting').length);
    expect(calls[index]!()).toBeLessThanOrEqual(steps.reduce((sum, each) => sum + each));
  }
  // About five attempts until the backoff is 5 s on average, and about five more when the server is back without a stream.
  expect(requests / 50).toBeLessThan(10 + seconds / 3);
  await broadcaster.close();
});
