import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { EXPIRES_AFTER_MS } from '../../../server/cluster/lease-times.ts';
import { clusterProcess } from '../../support/cluster.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf } from '../support/pages.ts';
import { Switch } from '../../support/switch.ts';
import { expect, test as base } from '../support/test.ts';

interface Servers {
  readonly origin: ServerProcess;
  readonly edge: ServerProcess;
  readonly spare: ServerProcess;
  readonly tokens: RestTokens;
  /** Where the viewer calls, and where the broadcaster does. */
  readonly viewers: Switch;
  readonly broadcasters: Switch;
}

/** A viewer whose server is lost watches again elsewhere, before that server counts as lost. */
const CONTINUES_WITHIN_MS = EXPIRES_AFTER_MS;
/** More frames than a viewer keeps that have not been shown yet. */
const FRAMES = 30;
/** The name of a lost server is free after eight seconds, and a broadcaster asks again after ten seconds at most. */
const RESUMED_WITHIN_MS = 45_000;

const test = base.extend<{ servers: Servers }, { postgres: TestPostgres }>({
  postgres: [
    async ({}, use) => {
      const postgres = await startPostgres();
      await use(postgres);
      await postgres.stop();
    },
    { scope: 'worker' },
  ],
  servers: async ({ postgres }, use) => {
    const databaseUrl = await postgres.newDatabase();
    const open = () => clusterProcess(databaseUrl, { NODE_RELAY: 'on', RESUME_WITHIN_S: '120' });
    const [origin, edge, spare] = [await open(), await open(), await open()];
    const { secret } = await origin.cli('secret', 'create', '--account', 'main');
    const tokens = new RestTokens(spare.origin, String(secret));
    const [viewers, broadcasters] = [await Switch.open(edge.origin), await Switch.open(origin.origin)];
    await use({ origin, edge, spare, tokens, viewers, broadcasters });
    for (const one of [viewers, broadcasters]) one.close();
    for (const server of [origin, edge, spare]) await server.stop();
  },
});

/** Ends a server and its media processes at once. */
function kill({ pid }: ServerProcess): void {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  for (const each of [pid, ...children.filter(Boolean).map(Number)]) process.kill(each, 'SIGKILL');
}

interface Watched {
  /** The longest time between two frames that were shown, in ms. */
  longestGap: number;
  lastFrameAt: number;
  frames: number;
  readonly phases: string[];
  /** Whether the picture was there all the time. */
  wasEmpty: boolean;
}

declare global {
  interface Window {
    watched: Watched;
  }
}

/** From now on, keeps what the visitor sees. */
async function watch(page: Page): Promise<void> {
  await page.bringToFront();
  await page.evaluate(() => {
    const element = document.querySelector('stream-viewer')! as Element & { phase: { name: string } };
    const video = element.shadowRoot!.querySelector('video')!;
    const watched: Watched = { longestGap: 0, lastFrameAt: performance.now(), frames: 0, phases: [], wasEmpty: false };
    const onFrame = (now: number): void => {
      watched.longestGap = Math.max(watched.longestGap, now - watched.lastFrameAt);
      watched.lastFrameAt = now;
      watched.frames += 1;
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
    setInterval(() => (watched.wasEmpty ||= video.videoWidth === 0), 50);
    element.addEventListener('stream-phase-change', () => watched.phases.push(element.phase.name));
    Object.assign(window, { watched });
  });
}

const seen = (page: Page): Promise<Watched> => page.evaluate(() => window.watched);

/** Somebody called the server that is in the place of the lost one, and the picture moves after that. */
async function expectToGoOn(page: Page, moved: Switch, withinMs: number): Promise<void> {
  const options = { timeout: withinMs, intervals: [100] };
  await expect.poll(() => moved.calls, { message: 'the other server is called', ...options }).toBeGreaterThan(0);
  const before = (await seen(page)).frames;
  const frames = async () => (await seen(page)).frames;
  await expect.poll(frames, { message: 'the picture moves again', ...options }).toBeGreaterThan(before + FRAMES);
}

test.describe('three servers on one PostgreSQL that relay streams', () => {
  test.beforeEach(async ({ servers: { broadcasters, viewers, tokens }, streamName, context }) => {
    const broadcaster = await context.newPage();
    const token = await tokens.publish(streamName);
    await openBroadcaster(broadcaster, { origin: broadcasters.origin, streamName, token });
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await openViewer(viewer, { origin: viewers.origin, streamName });
    await expectMovingPicture(viewer);
  });

  test('let a viewer go on soon when the server is lost where the viewer watches', async ({
    servers: { edge, spare, viewers },
    context,
  }) => {
    const viewer = context.pages().at(-1)!;
    await watch(viewer);
    viewers.turnTo(spare.origin);
    kill(edge);
    await expectToGoOn(viewer, viewers, 2 * CONTINUES_WITHIN_MS);
    expect((await seen(viewer)).longestGap).toBeLessThan(CONTINUES_WITHIN_MS);
  });

  test('keep the last picture when the server of the stream is lost, until its broadcaster is back', async ({
    servers: { origin, spare, broadcasters },
    context,
  }) => {
    const viewer = context.pages().at(-1)!;
    await watch(viewer);
    broadcasters.turnTo(spare.origin);
    kill(origin);
    await expectToGoOn(viewer, broadcasters, RESUMED_WITHIN_MS);
    const { phases, wasEmpty } = await seen(viewer);
    expect([...new Set(phases)].filter((phase) => phase !== 'live')).toEqual([]);
    expect(wasEmpty).toBe(false);
    expect(await phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expectMovingPicture(viewer);
  });
});
