import type { BrowserContext, Page } from '@playwright/test';
import { PageOfViewers, expectViewerCount, expectAllPlay } from '../support/page-of-viewers.ts';
import { mediaProcesses } from '../support/media-processes.ts';
import { countCalls } from '../support/event-log.ts';
import { mediaFlows } from '../support/pages.ts';
import { CanvasBroadcaster } from '../support/canvas-broadcaster.ts';
import { expect, test as base } from '../support/test.ts';

/** A page with viewers in it. */
interface Seated {
  readonly page: Page;
  readonly audience: PageOfViewers;
}

interface Fixtures {
  /** Opens a broadcaster who shows this number, and is not live yet. */
  stageOf: (number: number) => Promise<CanvasBroadcaster>;
  /** Seats so many viewers before a stage, which goes live, and is done when all of them see it. */
  gather: (stage: CanvasBroadcaster, viewers: number) => Promise<readonly Seated[]>;
}

const test = base.extend<Fixtures>({
  stageOf: async ({ server: { origin }, tokens, streamName, browser }, use) => {
    const token = await tokens.publish(streamName);
    await use((number) => CanvasBroadcaster.open(browser!, { origin, streamName, token, number }));
  },
  gather: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async (stage, viewers) => {
      await stage.goLive();
      await mediaFlows(origin, streamName);
      const seated = await seat(context, viewers, { origin, streamName, token: await tokens.subscribe(streamName) });
      await expectAllPlay(
        seated.map(({ audience }) => audience),
        stage.number,
      );
      return seated;
    }),
});

// Of a lost broadcaster it keeps the name for as short as it can.
test.use({ environment: { MEDIA_WORKERS: '2', RESUME_WITHIN_S: '1' } });

/** Chromium delays the websockets of a page that has more than some sixteen under way. */
const TO_A_PAGE = 10;

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** What is worth knowing, and too much of the machine to be held to. */
function state(what: string, waits: readonly number[]): void {
  const sorted = waits.toSorted((a, b) => a - b);
  const [half, last] = [sorted[sorted.length >> 1], sorted.at(-1)];
  const description = `${what}: half of them play again after ${half} ms, the last after ${last} ms`;
  test.info().annotations.push({ type: 'measured', description });
  process.stdout.write(`  ${description}\n`);
}

/** Viewers on several pages, those of every other one without a token. */
async function seat(context: BrowserContext, count: number, { origin, streamName, token }: Place): Promise<Seated[]> {
  const pages: Seated[] = [];
  for (let index = 0; index < count / TO_A_PAGE; index++) {
    const page = await context.newPage();
    const tokens = times(TO_A_PAGE, index % 2 ? undefined : token);
    pages.push({ page, audience: await PageOfViewers.open(page, { origin, streamName, tokens }) });
  }
  return pages;
}

/** The names of all phases that viewers were in. */
async function namesOf(audiences: readonly PageOfViewers[]): Promise<string[]> {
  return [...new Set((await Promise.all(audiences.map((audience) => audience.phases()))).flat(2))];
}

async function everybodyNoticed(audiences: readonly PageOfViewers[]): Promise<void> {
  const unaware = async () =>
    (await Promise.all(audiences.map((audience) => audience.phases())))
      .flat()
      .filter((names) => !names.includes('reconnecting')).length;
  await expect.poll(unaware, { message: 'every viewer lost what it had', intervals: [100] }).toBe(0);
}

interface Place {
  readonly origin: string;
  readonly streamName: string;
  readonly token: string;
}

test('twenty viewers see each of twenty restarts of a broadcaster', async ({ stageOf, gather }) => {
  test.setTimeout(240_000);
  let stage = await stageOf(0);
  const audiences = (await gather(stage, 20)).map(({ audience }) => audience);

  const waits: number[] = [];
  let next = await stageOf(1);
  for (let number = 1; number <= 20; number++) {
    await stage.kill();
    const [seen, , , afterNext] = await Promise.all([
      expectAllPlay(audiences, number),
      next.goLive(),
      stage.close(),
      stageOf(number + 1),
    ]);
    waits.push(...seen);
    [stage, next] = [next, afterNext];
  }
  await next.close();
  state('a broadcaster died 20 times', waits);

  await expectViewerCount(audiences, 20);
  await expect.poll(() => stage.viewers()).toBe(20);
  expect(await namesOf(audiences), 'no viewer had to reconnect').not.toContain('reconnecting');
  expect(await namesOf(audiences)).not.toContain('rejected');
  await stage.close();
});

test('twenty viewers and their broadcaster reconnect after every media process is killed', async ({
  server,
  stageOf,
  gather,
}) => {
  test.setTimeout(180_000);
  const stage = await stageOf(21);
  const audiences = (await gather(stage, 20)).map(({ audience }) => audience);

  const killed = performance.now();
  for (const pid of mediaProcesses(server).values()) process.kill(pid, 'SIGKILL');
  await everybodyNoticed(audiences);
  const noticed = Math.round(performance.now() - killed);
  const waits = (await expectAllPlay(audiences, stage.number)).map((wait) => noticed + wait);
  state('all media processes died', waits);
  await expectViewerCount(audiences, 20);
  await expect.poll(() => stage.viewers()).toBe(20);
  expect(await namesOf(audiences)).not.toContain('rejected');
  await stage.close();
});

test('fifty viewers reconnect after the server is killed, with at most one call for each wait', async ({
  server,
  stageOf,
  gather,
}) => {
  test.setTimeout(180_000);
  const stage = await stageOf(22);
  const pages = await gather(stage, 50);
  const audiences = pages.map(({ audience }) => audience);
  const calls = pages.map(({ page }) => countCalls(page));

  const killed = performance.now();
  await server.restart('SIGKILL');
  await everybodyNoticed(audiences);
  const began = Math.round(performance.now() - killed);
  const waits = (await expectAllPlay(audiences, stage.number)).map((wait) => began + wait);
  const seconds = Math.max(...waits) / 1_000;
  const asked = calls.reduce((sum, each) => sum + each(), 0);
  state(`the server died, and was back after ${began} ms; the director was asked ${asked} times`, waits);
  await expectViewerCount(audiences, 50);
  await expect.poll(() => stage.viewers()).toBe(50);
  expect(await namesOf(audiences)).not.toContain('rejected');
  for (const [index, audience] of audiences.entries()) {
    const steps = (await audience.phases()).map((names) => names.filter((name) => name === 'reconnecting').length);
    expect(calls[index]!()).toBeLessThanOrEqual(steps.reduce((sum, each) => sum + each));
  }
  // Some five steps until the wait is 5 s in the middle, and some five anew once there is a service, but no stream yet.
  expect(asked / 50).toBeLessThan(10 + seconds / 3);
  await stage.close();
});
