import { Cleanup } from '../../support/cleanup.ts';
import { clusterProcess } from '../../support/cluster.ts';
import { startPostgres } from '../../support/postgres.ts';
import { RestTokens } from '../../support/rest-tokens.ts';
import { serveSdkPage } from '../../support/sdk-page.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { askDirector } from '../../support/stream-server.ts';
import { TcpGate } from '../../support/tcp-gate.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf } from '../support/pages.ts';
import { installSdkApp, SdkApp } from '../support/sdk-app.ts';
import { expect, test as base } from '../support/test.ts';

interface Nodes {
  readonly one: ServerProcess;
  readonly other: ServerProcess;
  readonly tokens: RestTokens;
}

const test = base.extend<object, { nodes: Nodes }>({
  nodes: [
    async ({}, use) => {
      const postgres = await startPostgres();
      const databaseUrl = await postgres.newDatabase();
      const one = await clusterProcess(databaseUrl);
      const other = await clusterProcess(databaseUrl);
      const { secret } = await one.cli('secret', 'create', '--account', 'main');
      await use({ one, other, tokens: new RestTokens(one.origin, String(secret)) });
      await other.stop();
      await one.stop();
      await postgres.stop();
    },
    { scope: 'worker' },
  ],
});

test.describe('two servers on one PostgreSQL', () => {
  test('show a stream of one to a viewer of the unmodified @millicast/sdk that asks the other', async ({
    nodes: { one, other, tokens },
    streamName,
    context,
  }) => {
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, { origin: one.origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
    const page = await context.newPage();
    await page.goto(url);
    await new SdkApp(page).view({ origin: other.origin, streamName });
    await expectMovingPicture(page, 'sdk-viewer');
    stop();
  });

  test('move a viewer of ours who waits on the other when the stream begins, without a phase between', async ({
    nodes: { one, other, tokens },
    streamName,
    context,
  }) => {
    const viewer = await context.newPage();
    const token = await tokens.subscribe(streamName, { maxSessions: 1 });
    await openViewer(viewer, { origin: other.origin, streamName, token });
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');
    await viewer.evaluate(() => {
      const element = document.querySelector('stream-viewer')! as Element & { phase: { name: string; error?: Error } };
      const phases: string[] = [];
      element.addEventListener('stream-phase-change', () =>
        phases.push([element.phase.name, element.phase.error?.message].join(' ').trim()),
      );
      Object.assign(window, { phases });
    });
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, { origin: one.origin, streamName, token: await tokens.publish(streamName) });
    await goLive(broadcaster);
    await viewer.bringToFront();
    await expectMovingPicture(viewer);
    const phases = await viewer.evaluate(() => (window as unknown as { phases: string[] }).phases);
    // The count of viewers changes the phase as well.
    expect([...new Set(phases)]).toEqual(['live']);
  });

  test('show a stream of ours to a viewer on the other, which refuses a second broadcaster', async ({
    nodes: { one, other, tokens },
    streamName,
    context,
  }) => {
    const broadcaster = await context.newPage();
    const token = await tokens.publish(streamName);
    await openBroadcaster(broadcaster, { origin: other.origin, streamName, token });
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await openViewer(viewer, { origin: one.origin, streamName });
    await expectMovingPicture(viewer);
    const answer = await fetch(`${one.origin}/api/director/publish`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ streamName }),
    });
    expect((await answer.json()).data.code).toBe('stream_in_use');
  });

  test('bring broadcaster and viewer back on the other server when the one with the stream is killed', async ({
    nodes: { one, other, tokens },
    streamName,
    context,
  }) => {
    const cleanup = new Cleanup();
    // As a load balancer in front of both servers.
    const gate = await TcpGate.open(cleanup, one.origin);
    const origin = new URL(gate.urlOf(one.origin)).origin;
    const token = await tokens.publish(streamName);
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, { origin, streamName, token });
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await openViewer(viewer, { origin, streamName, token: await tokens.subscribe(streamName) });
    await expectMovingPicture(viewer);
    const asks = await tokens.subscribe(streamName);
    gate.leadTo(other.origin);
    process.kill(one.pid, 'SIGKILL');
    await expect
      .poll(
        async () => {
          const { body } = await askDirector(other, 'subscribe', asks, {
            streamName,
            streamAccountId: 'main',
          });
          return body.data.urls?.[0];
        },
        // The name is free after eight seconds, and a broadcaster asks again after ten seconds at most.
        { timeout: 45_000 },
      )
      .toContain(new URL(other.origin).host);
    await expect.poll(() => phaseOf(viewer, 'stream-viewer'), { timeout: 45_000 }).toBe('live');
    await viewer.bringToFront();
    await expectMovingPicture(viewer);
    await one.restart();
    await cleanup.run();
  });
});
