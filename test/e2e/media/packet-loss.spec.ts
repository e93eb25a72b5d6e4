import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { expect, test } from '../support/test.ts';

/** In each direction. */
const BAD = { loss: 0.05, delay: 100 };
const FRAMES = 400;

/** What the page's newest connection received of video. */
function received(page: Page) {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const video = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    const number = (name: string): number => video?.[name] ?? 0;
    return {
      frames: number('framesDecoded'),
      asked: number('nackCount'),
      again: number('retransmittedPacketsReceived'),
      missing: number('packetsLost'),
      freezes: number('freezeCount'),
      frozen: number('totalFreezesDuration'),
      keyframes: number('keyFramesDecoded'),
      /** Seconds, summed over all pictures shown. */
      held: number('jitterBufferDelay'),
      shown: number('jitterBufferEmittedCount'),
    };
  });
}

/** Lets the page play on for some pictures, and answers what came meanwhile and how long it took, in seconds. */
async function watch(page: Page) {
  const before = await received(page);
  const began = performance.now();
  await expect
    .poll(async () => (await received(page)).frames, { timeout: 60_000 })
    .toBeGreaterThan(before.frames + FRAMES);
  const after = await received(page);
  const since = (name: keyof typeof after) => after[name] - before[name];
  const seen = {
    seconds: (performance.now() - began) / 1_000,
    frames: since('frames'),
    asked: since('asked'),
    again: since('again'),
    missing: since('missing'),
    freezes: since('freezes'),
    frozen: since('frozen'),
    keyframes: since('keyframes'),
    heldBack: since('held') / since('shown'),
  };
  // How long pictures stand depends on the machine, too: it is stated, and what it hangs on is tested.
  test.info().annotations.push({ type: 'seen', description: JSON.stringify(seen) });
  return seen;
}

test.describe(`with ${BAD.loss * 100} % of all packets lost and ${BAD.delay} ms each way`, () => {
  test.setTimeout(120_000);

  test('the picture of a viewer goes on, and lost packets are sent again', async ({
    page: viewer,
    broadcast,
    watching,
  }) => {
    await broadcast();
    const network = await useBadNetwork(viewer, { up: BAD, down: BAD });
    await watching({ page: viewer });
    const seen = await watch(viewer);
    network.close();

    expect(network.dropped()).toBeGreaterThan(20);
    expect(seen.again).toBeGreaterThan(0);
    // The player waits for what is sent again, which takes both ways: of itself it would wait for some 0.13 s.
    expect(seen.heldBack).toBeGreaterThan(0.18);
  });

  test('the picture of a broadcaster goes on, and the server requests lost packets', async ({
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
    const seen = await watch(viewer);
    const nacks = await broadcaster.evaluate(async () => {
      const stats = [...(await window.peers.at(-1)!.getStats()).values()];
      return stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video')?.nackCount;
    });
    network.close();
    goodNetwork.close();

    expect(network.dropped()).toBeGreaterThan(20);
    expect(nacks).toBeGreaterThan(0);
    expect(seen.missing).toBeLessThan(seen.frames / 20);
    expect(seen.heldBack).toBeGreaterThan(0.18);
  });
});
