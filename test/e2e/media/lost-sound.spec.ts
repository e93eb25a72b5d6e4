import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { expect, test } from '../support/test.ts';

const LOSS = { loss: 0.1, delay: 20 };
const PATH = { delay: 20 };
/** Without repair, players conceal about as much as is lost. */
const MOST_CONCEALED = 0.03;
const SAMPLES_PER_SECOND = 48_000;
/** Reports on sound come every five seconds, and requests for lost packets earlier: by then both have had an effect. */
const SETTLED = 12 * SAMPLES_PER_SECOND;
const MEASURED = 15 * SAMPLES_PER_SECOND;

/** The sound of the page's newest connection. */
function heard(page: Page) {
  return page.evaluate(async () => {
    const stats = [...((await window.peers.at(-1)?.getStats()) ?? new Map()).values()];
    const audio = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio');
    const number = (name: string): number => audio?.[name] ?? 0;
    return {
      samples: number('totalSamplesReceived'),
      concealed: number('concealedSamples'),
      packets: number('packetsReceived'),
      lost: number('packetsLost'),
      bytes: number('bytesReceived'),
      delay: number('jitterBufferDelay'),
      emitted: number('jitterBufferEmittedCount'),
    };
  });
}

/** Waits until so much sound was played. */
async function listen(page: Page, samples: number) {
  const before = await heard(page);
  await expect
    .poll(async () => (await heard(page)).samples, { timeout: 60_000 })
    .toBeGreaterThan(before.samples + samples);
  const after = await heard(page);
  const since = (name: keyof typeof after) => after[name] - before[name];
  return {
    concealed: since('concealed') / since('samples'),
    missing: since('lost') / (since('lost') + since('packets')),
    bytesPerPacket: since('bytes') / since('packets'),
    delay: since('delay') / since('emitted'),
  };
}

async function measure(page: Page) {
  await listen(page, SETTLED);
  const result = await listen(page, MEASURED);
  test.info().annotations.push({ type: 'result', description: JSON.stringify(result) });
  return result;
}

test.describe(`sound survives ${LOSS.loss * 100} % loss`, () => {
  test('on the way to a viewer, who gets redundancy', async ({ page: viewer, broadcast, watching }) => {
    await broadcast();
    const network = await useBadNetwork(viewer, { up: PATH, down: LOSS });
    await watching({ page: viewer });
    const { concealed, missing } = await measure(viewer);
    network.close();
    expect(missing).toBeGreaterThan(0.05);
    expect(concealed).toBeLessThan(MOST_CONCEALED);
  });

  test('on the way from the broadcaster, and costs viewers on good links nothing', async ({
    context,
    broadcast,
    watching,
  }) => {
    const broadcaster = await context.newPage();
    const network = await useBadNetwork(broadcaster, { up: LOSS, down: PATH });
    await broadcast({ page: broadcaster });
    const viewer = await context.newPage();
    const goodNetwork = await useBadNetwork(viewer, { up: PATH, down: PATH });
    await watching({ page: viewer });
    const { concealed, bytesPerPacket } = await measure(viewer);
    const sent = await broadcaster.evaluate(async () => {
      const stats = [...(await window.peers.at(-1)!.getStats()).values()];
      const audio = stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'audio');
      return audio.bytesSent / audio.packetsSent;
    });
    network.close();
    goodNetwork.close();
    expect(network.dropped()).toBeGreaterThan(100);
    expect(concealed).toBeLessThan(MOST_CONCEALED);
    // The broadcaster sends each payload twice.
    expect(bytesPerPacket).toBeLessThan(0.7 * sent);
  });
});
