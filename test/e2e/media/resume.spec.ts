import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { countCalls, noteEvents } from '../support/event-log.ts';
import { expectMovingPicture, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** The commands that the page sends, by name, without those that ask whether the server still answers. */
function noteCommands(page: Page): string[] {
  const commands: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { name } = JSON.parse(String(payload));
      if (name !== 'ping') commands.push(name);
    }),
  );
  return commands;
}

test.describe('the picture of a viewer continues without an event', () => {
  test('when the broadcaster reloads the page', async ({ broadcast, watching }) => {
    const broadcaster = await broadcast();
    const viewer = await watching();
    const eventNames = await noteEvents(viewer, 'stream-viewer');

    await broadcaster.reload();
    await broadcaster.getByRole('button', { name: 'Go live' }).click();
    await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
    await expectMovingPicture(viewer);
    expect(await eventNames()).toEqual([]);
  });

  test("when the viewer's media path is cut, by a new path of the same session", async ({
    page: viewer,
    broadcast,
    watching,
  }) => {
    await broadcast();
    const commands = noteCommands(viewer);
    const network = await useBadNetwork(viewer, {});
    await watching({ page: viewer });
    const eventNames = await noteEvents(viewer, 'stream-viewer');

    network.cut();
    await expect.poll(() => commands).toEqual(['attach', 'renew']);
    await expectMovingPicture(viewer);
    expect(await eventNames()).toEqual([]);
    network.close();
  });

  test("when the broadcaster's media path is cut, by a new path of the same session", async ({
    page: broadcaster,
    broadcast,
    watching,
  }) => {
    const commands = noteCommands(broadcaster);
    const network = await useBadNetwork(broadcaster, {});
    await broadcast({ page: broadcaster });
    const viewer = await watching();
    const eventNames = await noteEvents(viewer, 'stream-viewer');

    network.cut();
    await expect.poll(() => commands).toEqual(['publish', 'renew']);
    await expectMovingPicture(viewer);
    expect(await eventNames()).toEqual([]);
    network.close();
  });
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`broadcaster and viewers reconnect by themselves after the server is restarted with ${signal}`, async ({
    server,
    tokens,
    streamName,
    context,
    broadcast,
    watching,
  }) => {
    const broadcaster = await broadcast();
    const subscribe = await tokens.subscribe(streamName);
    const viewers = [];
    for (let index = 0; index < 3; index++) {
      const viewer = await context.newPage();
      const calls = countCalls(viewer);
      await watching({ page: viewer, token: index === 0 ? undefined : subscribe });
      viewers.push({ viewer, calls, eventNames: await noteEvents(viewer, 'stream-viewer') });
    }

    const began = performance.now();
    await server.restart(signal);
    // Pauses between attempts grow to ten seconds.
    await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster'), { timeout: 45_000 }).toBe('live');
    for (const { viewer, calls, eventNames } of viewers) {
      await expect.poll(() => phaseOf(viewer, 'stream-viewer'), { timeout: 45_000 }).toBe('live');
      await expectMovingPicture(viewer);
      expect(await eventNames()).not.toContain('stream-rejected');
      // The first to come in, one for each step of a back-off that doubles, and then one in five seconds, at random.
      const tookS = (performance.now() - began) / 1_000;
      expect(calls()).toBeLessThan(12 + tookS / 2);
    }
  });
}
