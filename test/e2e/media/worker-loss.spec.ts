import type { Page } from '@playwright/test';
import { sdpOffer } from '../../support/media/offer.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { connectionsOf, noteConnections, pathOf } from '../support/connections.ts';
import { mediaProcesses } from '../support/media-processes.ts';
import { expectMovingPicture, phaseOf, viewersOf } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

interface TwoWorkers {
  readonly broadcaster: Page;
  /** Two viewers in the worker of the broadcaster. */
  readonly homeViewers: readonly Page[];
  /** A viewer in the other worker. */
  readonly otherViewer: Page;
  /** The ports of the workers. */
  readonly homePort: number;
  readonly otherPort: number;
}

const test = base.extend<{ workers: TwoWorkers }>({
  workers: async ({ server, streamName, context, broadcast, watching }, use) => {
    const watched = async (): Promise<Page> => {
      const page = await context.newPage();
      await noteConnections(page);
      return watching({ page });
    };
    const broadcaster = await broadcast();
    const homeViewers = [await watched(), await watched()];
    const homePort = await portOf(homeViewers[0]!);
    const endSessions = await fillWorker(server, streamName, homePort);
    const otherViewer = await watched();
    await endSessions();
    const otherPort = await portOf(otherViewer);
    expect(otherPort).not.toBe(homePort);
    expect(await portOf(homeViewers[1]!)).toBe(homePort);
    await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
    await use({ broadcaster, homeViewers, otherViewer, homePort, otherPort });
  },
});

test.use({ environment: { MEDIA_WORKERS: '2' } });

/** More sessions than a worker has when the next viewers are placed in the other one. */
const MAX_SESSIONS = 60;

/** The server's port of the page's newest connection. */
const portOf = async (page: Page) => (await pathOf(page)).remote?.port ?? 0;

/**
 * Starts WHEP sessions that never connect, until one is placed in the other worker: so are the next viewers. They count
 * as load of a worker.
 * @returns a function that ends them
 */
async function fillWorker(
  { origin }: ServerProcess,
  streamName: string,
  homePort: number,
): Promise<() => Promise<void>> {
  const headers = { 'content-type': 'application/sdp' };
  const responses: Response[] = [];
  for (let isHome = true; isHome;) {
    expect(responses.length).toBeLessThan(MAX_SESSIONS);
    const options = { method: 'POST', headers, body: sdpOffer() };
    const response = await fetch(`${origin}/api/whep/main/${streamName}`, options);
    expect(response.status).toBe(201);
    responses.push(response);
    isHome = (await response.text()).includes(` ${homePort} typ host`);
  }
  const end = ({ headers }: Response) => fetch(new URL(headers.get('location')!, origin), { method: 'DELETE' });
  return async () => void (await Promise.all(responses.map(end)));
}

test('when a media worker is killed, viewers of the other worker see no interruption', async ({ server, workers }) => {
  const { broadcaster, homeViewers, otherViewer, otherPort } = workers;
  const before = await Promise.all(homeViewers.map(pathOf));
  process.kill(mediaProcesses(server).get(otherPort)!, 'SIGKILL');

  await expect.poll(() => connectionsOf(otherViewer)).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(otherViewer, 'stream-viewer')).toBe('live');
  await expect.poll(async () => (await pathOf(otherViewer)).decoded, 'the viewer plays again').toBeGreaterThan(10);
  for (const [index, page] of homeViewers.entries()) {
    expect(await connectionsOf(page)).toBe(1);
    expect((await pathOf(page)).decoded).toBeGreaterThan(before[index]!.decoded);
  }
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});

test('when the worker of the broadcaster is killed, broadcaster and viewers reconnect by themselves', async ({
  server,
  workers,
}) => {
  const { broadcaster, homeViewers, otherViewer, homePort } = workers;
  process.kill(mediaProcesses(server).get(homePort)!, 'SIGKILL');

  for (const page of homeViewers) await expect.poll(() => connectionsOf(page)).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  for (const page of [...homeViewers, otherViewer]) {
    await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
    await expectMovingPicture(page);
  }
  expect(await connectionsOf(otherViewer), 'the viewer of the other worker keeps its connection').toBe(1);
  for (const page of homeViewers) await expect.poll(() => viewersOf(page, 'stream-viewer')).toBe(3);
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});
