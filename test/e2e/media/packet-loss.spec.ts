import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { expect, test } from '../support/test.ts';

/** The conditions in each direction. */
const BAD = { loss: 0.05, delay: 100 };
const FRAMES = 250;

/** The video statistics of the page's newest connection. */
function received(page: Page) {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const video = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    const number = (name: string): number => video?.[name] ?? 0;
    return {
      frames: number('framesDecoded'),
      nacks: number('nackCount'),
      resent: number('retransmittedPacketsReceived'),
      missing: number('packetsLost'),
      freezes: number('freezeCount'),
      frozen: number('totalFreezesDuration'),
      keyframes: number('keyFramesDecoded'),
      /** In seconds, summed over all shown frames. */
      delay: number('jitterBufferDelay'),
      shown: number('jitterBufferEmittedCount'),
    };
  });
}

/** Waits for a number of frames. Returns what the page received meanwhile, and the time in seconds. */
async function watch(page: Page) {
  const before = await received(page);
  const began = performance.now();
  await expect
    .poll(async () => (await received(page)).frames, { timeout: 60_000 })
    .toBeGreaterThan(before.frames + FRAMES);
  const after = await received(page);
  const since = (name: keyof typeof after) => after[name] - before[name];
  const result = {
    seconds: (performance.now() - began) / 1_000,
    frames: since('frames'),
    nacks: since('nacks'),
    resent: since('resent'),
    missing: since('missing'),
    freezes: since('freezes'),
    frozen: since('frozen'),
    keyframes: since('keyframes'),
    delay: since('delay') / since('shown'),
  };
  // Freezes also depend on the machine, so they are reported and not tested.
  test.info().annotations.push({ type: 'result', description: JSON.stringify(result) });
  return result;
}

test.describe(`with ${BAD.loss * 100} % of all packets lost and ${BAD.delay} ms each way`, () => {
  test('the picture of a viewer continues, and lost packets are sent again', async ({
    page: viewer,
    broadcast,
    watching,
  }) => {
    await broadcast();
    const network = await useBadNetwork(viewer, { up: BAD, down: BAD });
    await watching({ page: viewer });
    const result = await watch(viewer);
    network.close();

    expect(network.dropped()).toBeGreaterThan(20);
    expect(result.resent).toBeGreaterThan(0);
    // The player waits for resent packets, which need a round trip. Without the playout delay it would wait about 0.13 s.
    expect(result.delay).toBeGreaterThan(0.18);
  });

  test('the picture of a broadcaster continues, and the server requests lost packets', async ({
    context,
    broadcast,
    watching,
  }) => {
    const broadcaster = await context.newPage();
    const network = await useBadNetwork(broadcaster, { up: BAD, down: BAD });
    await broadcast({ page: broadcaster });

    const viewer = await context.newPage();
    const goodNetwork = await useBadNetwork(viewer, {});
    await watching({ page: viewer });
    const result = await watch(viewer);
    const nacks = await broadcaster.evaluate(async () => {
      const stats = [...(await window.peers.at(-1)!.getStats()).values()];
      return stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video')?.nackCount;
    });
    network.close();
    goodNetwork.close();

    expect(network.dropped()).toBeGreaterThan(20);
    expect(nacks).toBeGreaterThan(0);
    expect(result.missing).toBeLessThan(result.frames / 20);
    expect(result.delay).toBeGreaterThan(0.18);
  });
});
