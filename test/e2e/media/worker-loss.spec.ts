import type { Page } from '@playwright/test';
import { sdpOffer } from '../../support/media/offer.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { connectionsOf, noteConnections, pathOf } from '../support/connections.ts';
import { mediaProcesses } from '../support/media-processes.ts';
import { expectMovingPicture, phaseOf, viewersOf } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

interface House {
  readonly broadcaster: Page;
  /** Two viewers of the worker that he is with. */
  readonly near: readonly Page[];
  /** One of the other. */
  readonly far: Page;
  /** The workers' ports. */
  readonly home: number;
  readonly away: number;
}

const test = base.extend<{ house: House }>({
  house: async ({ server, streamName, context, broadcast, watching }, use) => {
    const watched = async (): Promise<Page> => {
      const page = await context.newPage();
      await noteConnections(page);
      return watching({ page });
    };
    const broadcaster = await broadcast();
    const near = [await watched(), await watched()];
    const leave = await crowd(server, streamName);
    const far = await watched();
    await leave();
    const home = await portOf(near[0]!);
    const away = await portOf(far);
    expect(away).not.toBe(home);
    expect(await portOf(near[1]!)).toBe(home);
    await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
    await use({ broadcaster, near, far, home, away });
  },
});

test.use({ environment: { MEDIA_WORKERS: '2' } });

/** More than a worker with nobody on it is worth: who comes next goes there. */
const CROWD = 60;

/** Where the page's newest connection goes to. */
const portOf = async (page: Page) => (await pathOf(page)).remote?.port ?? 0;

/** Viewers who ask and never connect: to a worker they are work to come. The answer sends them away again. */
async function crowd({ origin }: ServerProcess, streamName: string): Promise<() => Promise<void>> {
  const headers = { 'content-type': 'application/sdp' };
  const come = () => fetch(`${origin}/api/whep/main/${streamName}`, { method: 'POST', headers, body: sdpOffer() });
  const answers = await Promise.all(Array.from({ length: CROWD }, come));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CROWD }, () => 201));
  const leave = ({ headers }: Response) => fetch(new URL(headers.get('location')!, origin), { method: 'DELETE' });
  return async () => void (await Promise.all(answers.map(leave)));
}

test('when a media worker is killed, viewers of the other worker see no break', async ({ server, house }) => {
  const { broadcaster, near, far, away } = house;
  const before = await Promise.all(near.map(pathOf));
  process.kill(mediaProcesses(server).get(away)!, 'SIGKILL');

  await expect.poll(() => connectionsOf(far)).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(far, 'stream-viewer')).toBe('live');
  await expect.poll(async () => (await pathOf(far)).decoded, 'the viewer plays again').toBeGreaterThan(10);
  for (const [index, page] of near.entries()) {
    expect(await connectionsOf(page)).toBe(1);
    expect((await pathOf(page)).decoded).toBeGreaterThan(before[index]!.decoded);
  }
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});

test('when the worker of the broadcaster is killed, broadcaster and viewers reconnect by themselves', async ({
  server,
  house,
}) => {
  const { broadcaster, near, far, home } = house;
  process.kill(mediaProcesses(server).get(home)!, 'SIGKILL');

  for (const page of near) await expect.poll(() => connectionsOf(page)).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  for (const page of [...near, far]) {
    await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
    await expectMovingPicture(page);
  }
  expect(await connectionsOf(far), 'the viewer of the other worker keeps its connection').toBe(1);
  for (const page of near) await expect.poll(() => viewersOf(page, 'stream-viewer')).toBe(3);
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});
