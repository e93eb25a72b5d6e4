import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { expect, test } from '../support/test.ts';

const DOWN = { loss: 0.1, delay: 20 };
const UP = { loss: 0.05, delay: 20 };
/** Without repair, players conceal about as much as is lost. */
const MOST_CONCEALED = 0.03;
const SAMPLES_PER_SECOND = 48_000;
/** Reports on sound come every five seconds, and requests for lost packets earlier: by then both have had an effect. */
const SETTLED = 6 * SAMPLES_PER_SECOND;
const MEASURED = 5 * SAMPLES_PER_SECOND;

/** What the page's newest connection received. */
function received(page: Page) {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const of = (kind: string) => stats.find((entry) => entry.type === 'inbound-rtp' && entry.kind === kind);
    const [audio, video] = [of('audio'), of('video')];
    return {
      samples: Number(audio?.totalSamplesReceived ?? 0),
      concealed: Number(audio?.concealedSamples ?? 0),
      packets: Number(audio?.packetsReceived ?? 0),
      missing: Number(audio?.packetsLost ?? 0),
      frames: Number(video?.framesDecoded ?? 0),
      resent: Number(video?.retransmittedPacketsReceived ?? 0),
    };
  });
}

/** Waits until so much sound was played. */
async function listen(page: Page, samples: number) {
  const before = await received(page);
  const enough = async () => (await received(page)).samples > before.samples + samples;
  await expect.poll(enough, { timeout: 60_000 }).toBe(true);
  const after = await received(page);
  const since = (name: keyof typeof after) => after[name] - before[name];
  return {
    concealed: since('concealed') / since('samples'),
    missing: since('missing') / (since('missing') + since('packets')),
    frames: since('frames'),
    resent: since('resent'),
  };
}

test('sound and picture survive loss on the way from the broadcaster and on the way to the viewer', async ({
  context,
  broadcast,
  watching,
}) => {
  const [broadcaster, viewer] = [await context.newPage(), await context.newPage()];
  const networks = [await useBadNetwork(broadcaster, { up: UP }), await useBadNetwork(viewer, { down: DOWN })];
  await broadcast({ page: broadcaster });
  await watching({ page: viewer });
  await listen(viewer, SETTLED);
  const result = await listen(viewer, MEASURED);
  const nacks = await broadcaster.evaluate(async () => {
    const stats = [...(await window.peers.at(-1)!.getStats()).values()];
    return stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video')?.nackCount;
  });
  for (const network of networks) network.close();
  test.info().annotations.push({ type: 'result', description: JSON.stringify(result) });

  expect(result.missing).toBeGreaterThan(0.03);
  expect(result.concealed).toBeLessThan(MOST_CONCEALED);
  expect(result.frames).toBeGreaterThan(20);
  expect(result.resent).toBeGreaterThan(0);
  expect(nacks).toBeGreaterThan(0);
});
