import type { Browser } from 'playwright';
import type * as Streamgate from '../../src/cdn.js';

/** Chromium begins with more sound than picture in its buffers, and delays the picture by some 15 ms each second. */
const SETTLE_MS = 20_000;
const SAMPLE_MS = 500;

/** How far the sound is behind the picture, in ms, by the time at which the encoder made each (sender reports). */
export interface SoundLags {
  /** When both are played. Chromium corrects only what is more than 30 ms. */
  readonly played: readonly number[];
  /** When both arrive, before the buffers of the player: what the server adds. */
  readonly arrived: readonly number[];
}

/** Watches a stream with the headless viewer. */
export async function soundLags(
  browser: Browser,
  { origin, streamName, seconds }: { readonly origin: string; readonly streamName: string; readonly seconds: number },
): Promise<SoundLags> {
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
}): Promise<SoundLags> {
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
  const [played, arrived]: [number[], number[]] = [[], []];
  let before: Inbound[] = [];
  for (let sample = 0; sample <= given.samples; sample++) {
    await after(given.sampleMs);
    const reports = [...((await viewer.getStats())?.values() ?? [])] as Inbound[];
    const now = ['audio', 'video'].map((kind) =>
      reports.find((each) => each.type === 'inbound-rtp' && each.kind === kind)!,
    );
    const [sound, picture] = now.map((each, index) => ({
      playedUntil: each.estimatedPlayoutTimestamp!,
      bufferedMs:
        (1_000 * (each.jitterBufferDelay! - (before[index]?.jitterBufferDelay ?? 0))) /
        (each.jitterBufferEmittedCount! - (before[index]?.jitterBufferEmittedCount ?? 0)),
    }));
    // The first sample would be a mean over all the time before.
    if (before.length > 0) {
      const lag = picture!.playedUntil - sound!.playedUntil;
      played.push(lag);
      arrived.push(lag - sound!.bufferedMs + picture!.bufferedMs);
    }
    before = now;
  }
  viewer.stop();
  return { played, arrived };
}

type Inbound = RTCInboundRtpStreamStats & { readonly estimatedPlayoutTimestamp?: number };
