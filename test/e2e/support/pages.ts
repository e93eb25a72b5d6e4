import type { Page } from '@playwright/test';
import { expect } from './expect.ts';

export interface StreamAddress {
  origin: string;
  streamName: string;
  token?: string | undefined;
  /** Default: `main`. */
  accountId?: string | undefined;
}

/** A page of any browser, under playwright or puppeteer. */
export interface Scripted {
  evaluate<Argument, Result>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
}

/** Opens the cheapest page of the server's origin, for scripts of a test. */
export async function openBarePage(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/healthz`);
}

/** Opens the hosted broadcaster, with a small picture, which costs the machine less. */
export async function openBroadcaster(page: Page, { origin, streamName, token }: StreamAddress): Promise<void> {
  const query = new URLSearchParams({ streamName, resolution: '360' });
  await page.goto(`${origin}/broadcaster?${query}#token=${token ?? ''}`);
}

/** As the button says: it goes on after a page that was left while it was live. */
export async function goLive(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Go (live|on)$/ }).click();
  await expect.poll(() => phaseOf(page, 'stream-broadcaster')).toBe('live');
  const { origin, searchParams } = new URL(page.url());
  const accountId = await page.evaluate(() => {
    const { phase } = document.querySelector('stream-broadcaster') as Element & { phase?: { accountId?: string } };
    return phase?.accountId;
  });
  await mediaFlows({ origin, streamName: searchParams.get('streamName')!, accountId });
}

/** Waits until the server receives media of the stream. Before that, viewers without a token are refused. */
export async function mediaFlows({ origin, streamName, accountId = 'main' }: StreamAddress): Promise<void> {
  const code = async () => {
    const response = await fetch(`${origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ streamName, streamAccountId: accountId }),
    });
    return (await response.json()).data.code;
  };
  await expect.poll(code, { message: 'media flows' }).not.toBe('stream_not_live');
}

export async function openViewer(page: Page, { origin, streamName, token }: StreamAddress): Promise<void> {
  const query = new URLSearchParams({ streamId: `main/${streamName}`, ...(token && { token }) });
  await page.goto(`${origin}/viewer?${query}`);
}

export type Tag = 'stream-viewer' | 'stream-broadcaster';

interface Phase {
  readonly name: string;
  readonly reason?: string;
  readonly viewers?: number;
}

export function phaseOf(page: Scripted, tag: Tag): Promise<string | undefined> {
  return page.evaluate((name) => {
    const element = document.querySelector(name) as (Element & { phase?: Phase }) | null;
    return element?.phase?.name;
  }, tag);
}

/** The refusal code of the tag, or its phase while it is not refused. */
export function refusalCodeOf(page: Scripted, tag: Tag): Promise<string | undefined> {
  return page.evaluate((name) => {
    const element = document.querySelector(name) as (Element & { phase?: Phase }) | null;
    return element?.phase?.name === 'rejected' ? element.phase.reason : element?.phase?.name;
  }, tag);
}

/** The viewer count that the page received. */
export function viewersOf(page: Scripted, tag: Tag): Promise<number | undefined> {
  return page.evaluate((name) => {
    const element = document.querySelector(name) as (Element & { phase?: Phase }) | null;
    return element?.phase?.viewers;
  }, tag);
}

/** Samples pixels of the playing video until they differ from the first sample. */
export async function expectMovingPicture(page: Scripted, tag = 'stream-viewer'): Promise<void> {
  const sample = () => page.evaluate(samplePixels, tag);
  await expect.poll(async () => (await sample()).width, { message: 'a frame is shown' }).toBeGreaterThan(0);
  const first = await sample();
  const hasChanged = async () => (await sample()).pixels !== first.pixels;
  await expect.poll(hasChanged, { message: 'the pixels change' }).toBe(true);
}

/** The size of the shown picture. */
export function frameSize(page: Scripted, tag: string): Promise<{ width: number; height: number } | undefined> {
  return page.evaluate((name) => {
    const video = document.querySelector(name)?.shadowRoot?.querySelector('video');
    return video ? { width: video.videoWidth, height: video.videoHeight } : undefined;
  }, tag);
}

function samplePixels(tag: string): { width: number; pixels: string } {
  const video = document.querySelector(tag)?.shadowRoot?.querySelector('video');
  if (!video || video.videoWidth === 0) return { width: 0, pixels: '' };
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [64, 48];
  const context = canvas.getContext('2d')!;
  context.drawImage(video, 0, 0, 64, 48);
  return { width: video.videoWidth, pixels: context.getImageData(0, 0, 64, 48).data.join() };
}

/** Waits until the audio energy of the playing stream grows. Chromium's fake microphone beeps. */
export async function expectSound(page: Page, tag = 'stream-viewer'): Promise<void> {
  const loudest = await page.evaluate(loudestSample, tag);
  expect(loudest, 'the beep of the fake microphone is heard').toBeGreaterThan(0.01);
}

/** The loudest sample of the next beep. The fake microphone beeps every second. */
async function loudestSample(tag: string): Promise<number> {
  const video = document.querySelector(tag)!.shadowRoot!.querySelector('video')!;
  const context = new AudioContext();
  await context.resume();
  // The last 0.7 s: a busy machine looks seldom, and would miss a beep.
  const analyser = new AnalyserNode(context, { fftSize: 32_768 });
  context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loudest = 0;
  for (const until = performance.now() + 10_000; loudest < 0.01 && performance.now() < until;) {
    analyser.getFloatTimeDomainData(samples);
    loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), loudest);
    await new Promise(requestAnimationFrame);
  }
  await context.close();
  return loudest;
}
