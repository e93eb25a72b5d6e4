import type { BrowserContext, Page } from '@playwright/test';
import { sdpOffer } from '../support/media/offer.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf } from './support/pages.ts';
import { expect, test as base } from './support/test.ts';

/** A server whose media is in two processes. */
const test = base.extend<object, { server: ServerProcess }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ MEDIA_WORKERS: '2' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

/** More than a worker with nobody on it is worth: who comes next goes there. */
const CROWD = 60;

interface Watched {
  peers: RTCPeerConnection[];
}

/** Opens a viewer whose connections the test can look at. */
async function watch(context: BrowserContext, { origin }: ServerProcess, streamName: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    const watched = window as unknown as Watched;
    watched.peers = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        watched.peers.push(this);
      }
    };
  });
  await openViewer(page, { origin, streamName });
  await expectMovingPicture(page);
  return page;
}

/** The port that the page's newest connection goes to, how many there were, and what of the video arrived. */
function pathOf(page: Page): Promise<{ port: number; connections: number; decoded: number }> {
  return page.evaluate(async () => {
    const { peers } = window as unknown as Watched;
    const stats = [...((await peers.at(-1)?.getStats()) ?? new Map()).values()];
    const { selectedCandidatePairId } = stats.find(({ type }) => type === 'transport') ?? {};
    const pair = stats.find(({ id }) => id === selectedCandidatePairId);
    const remote = stats.find(({ id }) => id === pair?.remoteCandidateId);
    const video = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    return {
      port: remote?.port ?? 0,
      connections: peers.length,
      decoded: video?.framesDecoded ?? 0,
    };
  });
}

/** Viewers who ask and never connect: to a worker they are work to come. The answer sends them away again. */
async function crowd({ origin }: ServerProcess, streamName: string): Promise<() => Promise<void>> {
  const headers = { 'content-type': 'application/sdp' };
  const come = () => fetch(`${origin}/api/whep/main/${streamName}`, { method: 'POST', headers, body: sdpOffer() });
  const answers = await Promise.all(Array.from({ length: CROWD }, come));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CROWD }, () => 201));
  const leave = ({ headers }: Response) => fetch(new URL(headers.get('location')!, origin), { method: 'DELETE' });
  return async () => void (await Promise.all(answers.map(leave)));
}

/** The process of the worker that has this port, as the server's log tells. */
function workerAt(server: ServerProcess, port: number): number {
  const entries = [...server.output().matchAll(/^\{.*"the media engine is running".*\}$/gm)];
  const worker = entries.map(([entry]) => JSON.parse(entry!)).findLast(({ udpPort }) => udpPort === port);
  return worker.pid;
}

function viewersOf(page: Page, tag: 'stream-viewer' | 'stream-broadcaster'): Promise<number | undefined> {
  return page.evaluate((name) => {
    const element = document.querySelector(name) as (Element & { phase?: { viewers?: number } }) | null;
    return element?.phase?.viewers;
  }, tag);
}

/** A broadcaster, two viewers of the worker that he is with, and one of the other. */
async function open(server: ServerProcess, context: BrowserContext, place: { streamName: string; token: string }) {
  const { origin } = server;
  const broadcaster = await context.newPage();
  await openBroadcaster(broadcaster, { origin, ...place });
  await goLive(broadcaster);
  const near = [await watch(context, server, place.streamName), await watch(context, server, place.streamName)];
  const leave = await crowd(server, place.streamName);
  const far = await watch(context, server, place.streamName);
  await leave();
  const home = (await pathOf(near[0]!)).port;
  const away = (await pathOf(far)).port;
  expect(away).not.toBe(home);
  expect((await pathOf(near[1]!)).port).toBe(home);
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
  return { broadcaster, near, far, home, away };
}

test('a media worker is killed, and those of the other go on as if nothing had been', async ({
  server,
  tokens,
  streamName,
  context,
}) => {
  const token = await tokens.publish(streamName);
  const { broadcaster, near, far, away } = await open(server, context, { streamName, token });
  const before = await Promise.all(near.map(pathOf));
  process.kill(workerAt(server, away), 'SIGKILL');

  await expect.poll(async () => (await pathOf(far)).connections).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(far, 'stream-viewer')).toBe('live');
  await expect.poll(async () => (await pathOf(far)).decoded, 'he plays again').toBeGreaterThan(10);
  for (const [index, page] of near.entries()) {
    const { connections, decoded } = await pathOf(page);
    expect(connections).toBe(1);
    expect(decoded).toBeGreaterThan(before[index]!.decoded);
  }
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});

test('the worker of the broadcaster is killed, and all of them are back by themselves', async ({
  server,
  tokens,
  streamName,
  context,
}) => {
  const token = await tokens.publish(streamName);
  const { broadcaster, near, far, home } = await open(server, context, { streamName, token });
  process.kill(workerAt(server, home), 'SIGKILL');

  for (const page of near) await expect.poll(async () => (await pathOf(page)).connections).toBeGreaterThan(1);
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  for (const page of [...near, far]) {
    await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
    await expectMovingPicture(page);
  }
  expect((await pathOf(far)).connections, 'who was with the other had nothing to do').toBe(1);
  for (const page of near) await expect.poll(() => viewersOf(page, 'stream-viewer')).toBe(3);
  await expect.poll(() => viewersOf(broadcaster, 'stream-broadcaster')).toBe(3);
});
