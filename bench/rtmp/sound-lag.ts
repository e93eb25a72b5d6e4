import type { Browser } from 'playwright';
import type * as Streamgate from '../../src/cdn.js';

/** Players have filled their buffers then. */
const SETTLE_MS = 8_000;
const SAMPLE_MS = 250;

/**
 * How far the sound that is played is behind the picture that is shown, in ms: by the time at which the encoder made
 * each, which the player knows from sender reports.
 */
export async function soundLags(
  browser: Browser,
  { origin, streamName, seconds }: { readonly origin: string; readonly streamName: string; readonly seconds: number },
): Promise<number[]> {
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/healthz`);
    const given = { streamName, settleMs: SETTLE_MS, sampleMs: SAMPLE_MS, samples: (1_000 * seconds) / SAMPLE_MS };
    return await page.evaluate(watch, given);
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
async function watch(given: {
  streamName: string;
  settleMs: number;
  sampleMs: number;
  samples: number;
}): Promise<number[]> {
  const library = '/streamgate.js';
  const { Viewer } = (await import(library)) as typeof Streamgate;
  const video = document.createElement('video');
  video.autoplay = true;
  document.body.append(video);
  const viewer = new Viewer();
  const isLive = new Promise<void>((resolve) => {
    viewer.addEventListener('phasechange', () => {
      const { phase } = viewer;
      if (phase.name !== 'live') return;
      if (video.srcObject !== phase.media) video.srcObject = phase.media;
      resolve();
    });
  });
  viewer.start({ endpoint: location.origin, accountId: 'main', streamName: given.streamName });
  const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await isLive;
  await after(given.settleMs);
  const lags: number[] = [];
  for (let sample = 0; sample < given.samples; sample++) {
    await after(given.sampleMs);
    const reports = [...((await viewer.getStats())?.values() ?? [])] as (RTCInboundRtpStreamStats & {
      estimatedPlayoutTimestamp?: number;
    })[];
    const playoutOf = (kind: string) =>
      reports.find((report) => report.type === 'inbound-rtp' && report.kind === kind)?.estimatedPlayoutTimestamp;
    const [picture, sound] = [playoutOf('video'), playoutOf('audio')];
    if (picture !== undefined && sound !== undefined) lags.push(picture - sound);
  }
  viewer.stop();
  return lags;
}
