import { Cleanup } from '../../support/cleanup.ts';
import { clusterProcess } from '../../support/cluster.ts';
import { startPostgres } from '../../support/postgres.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import { serveSdkPage } from '../../support/sdk-page.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { TcpGate } from '../../support/tcp-gate.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf } from '../support/pages.ts';
import { installSdkApp, SdkApp } from '../support/sdk-app.ts';
import { expect, test as base } from '../support/test.ts';

interface Nodes {
  readonly one: ServerProcess;
  /** Receives streams of the first for its viewers. */
  readonly relaying: ServerProcess;
  readonly tokens: RestTokens;
}

/** Viewers keep the last picture for longer than that. */
const RESUME_WITHIN_S = '120';
/** The name of a lost server is free after eight seconds, and a broadcaster asks again after ten seconds at most. */
const BACK_WITHIN_MS = 45_000;

const test = base.extend<object, { nodes: Nodes }>({
  nodes: [
    async ({}, use) => {
      const postgres = await startPostgres();
      const databaseUrl = await postgres.newDatabase();
      const one = await clusterProcess(databaseUrl);
      const relaying = await clusterProcess(databaseUrl, { NODE_RELAY: 'on', RESUME_WITHIN_S });
      const { secret } = await relaying.cli('secret', 'create', '--account', 'main');
      await use({ one, relaying, tokens: new RestTokens(relaying.origin, String(secret)) });
      await relaying.stop();
      await one.stop();
      await postgres.stop();
    },
    { scope: 'worker' },
  ],
});

test.describe('two servers on one PostgreSQL', () => {
  test('show a stream of one to a viewer of the unmodified @millicast/sdk that asks the other', async ({
    nodes: { one, relaying, tokens },
    streamName,
    context,
  }) => {
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, {
      origin: relaying.origin,
      streamName,
      token: await tokens.publish(streamName),
    });
    await goLive(broadcaster);
    const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
    const page = await context.newPage();
    await page.goto(url);
    await new SdkApp(page).view({ origin: one.origin, streamName });
    await expectMovingPicture(page, 'sdk-viewer');
    stop();
  });

  test('bring broadcaster and viewer back when one is killed, and keep the last picture at the other', async ({
    nodes: { one, relaying, tokens },
    streamName,
    context,
  }) => {
    const cleanup = new Cleanup();
    // As a load balancer in front of both servers.
    const gate = await TcpGate.open(cleanup, one.origin);
    const origin = new URL(gate.urlOf(one.origin)).origin;
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, { origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    const [viewer, relayed] = [await context.newPage(), await context.newPage()];
    await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
    await expectMovingPicture(viewer);
    await openViewer(relayed, { origin: relaying.origin, streamName });
    await expectMovingPicture(relayed);
    await relayed.evaluate(() => {
      const element = document.querySelector('stream-viewer')! as Element & { phase: { name: string } };
      const video = element.shadowRoot!.querySelector('video')!;
      const seen = { phases: [] as string[], wasEmpty: false };
      element.addEventListener('stream-phase-change', () => seen.phases.push(element.phase.name));
      setInterval(() => (seen.wasEmpty ||= video.videoWidth === 0), 50);
      Object.assign(window, { seenByVisitor: seen });
    });

    gate.leadTo(relaying.origin);
    process.kill(one.pid, 'SIGKILL');
    const phaseOfBroadcaster = () => phaseOf(broadcaster, 'stream-broadcaster');
    await expect.poll(phaseOfBroadcaster, { timeout: BACK_WITHIN_MS }).not.toBe('live');
    await expect.poll(phaseOfBroadcaster, { timeout: BACK_WITHIN_MS }).toBe('live');
    for (const page of [viewer, relayed]) {
      await expect.poll(() => phaseOf(page, 'stream-viewer'), { timeout: BACK_WITHIN_MS }).toBe('live');
      await page.bringToFront();
      await expectMovingPicture(page);
    }
    const seen = await relayed.evaluate(
      () => Reflect.get(window, 'seenByVisitor') as { phases: string[]; wasEmpty: boolean },
    );
    // The count of viewers changes the phase as well.
    expect([...new Set(seen.phases)].filter((phase) => phase !== 'live')).toEqual([]);
    expect(seen.wasEmpty).toBe(false);
    await one.restart();
    await cleanup.run();
  });
});
