import { errors, type Browser } from 'playwright';
import type { DelayedNetwork } from './delayed-network.js';
import { median } from '../support/percentile.js';
import { NoPictureError, RefusedError } from '../crowds/misses.js';

/** The way to a first frame, in the order it is gone. Each takes from the end of the one before, in ms. */
export const STEPS = [
  /** The page and its script load and run, until they ask the director. Where that takes an offer, it is made, too. */
  'page',
  /** The director's answer, with the preflight where there is one. */
  'auth',
  /** The websocket opens, where the offer waits for it. */
  'socket',
  /** The offer is made, if it was not yet, and sent. */
  'offer',
  /** The server's answer to it. */
  'answer',
  /** The browser takes the answer. */
  'described',
  /** ICE finds a way. */
  'ice',
  /** The DTLS handshake. */
  'dtls',
  /** The first packet of the video. */
  'packet',
  /** The last packet of its first frame. */
  'keyframe',
  /** It is decoded and shown. */
  'show',
] as const;

export type Step = (typeof STEPS)[number];

export interface FirstFrame {
  /** From opening the address to the frame. */
  readonly ms: number;
  /** When it was shown, in ms since 1970. */
  readonly at: number;
  readonly steps: Readonly<Record<Step, number>>;
}

/**
 * Runs in the page before anything of its own: notes when what happened. The same for every page, and light: what is
 * noted is noted by events that the page could have listened to.
 */
function trace(tag: string): void {
  const marks: Record<string, number> = {};
  const mark = (name: string) => void (marks[name] ??= performance.now());

  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      this.addEventListener('iceconnectionstatechange', () => {
        if (/connected|completed/.test(this.iceConnectionState)) mark('ice');
      });
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState !== 'connected') return;
        mark('dtls');
        document.documentElement.setAttribute('data-connected', '');
      });
      this.addEventListener('signalingstatechange', () => {
        if (this.signalingState === 'stable') mark('described');
      });
      this.addEventListener('track', ({ track }) => {
        if (track.kind === 'video') track.addEventListener('unmute', () => mark('packet'));
      });
    }
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('open', () => mark('socket'));
      this.addEventListener('message', ({ data }) => {
        const text = String(data);
        if (text.includes('"sdp"')) mark('answer');
        const [, refusal] = /^\{"type":"error".*"code":"(\w+)"/.exec(text) ?? [];
        if (refusal) document.documentElement.setAttribute('data-refused', refusal);
      });
    }

    override send(data: string): void {
      mark('offer');
      super.send(data);
    }
  };

  const shown = (now: number, frame: VideoFrameCallbackMetadata) => {
    const [call] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/api/director/subscribe')) as PerformanceResourceTiming[];
    // Where the answer came with the director's, nothing that the websocket does was waited for.
    if (marks['answer'] === undefined) Object.assign(marks, { socket: 0, offer: 0 });
    Object.assign(marks, { page: call?.startTime, auth: call?.responseEnd, keyframe: frame.receiveTime, show: now });
    Object.assign(marks, { origin: performance.timeOrigin });
    document.documentElement.setAttribute('data-first-frame', JSON.stringify(marks));
  };
  const look = (): void => {
    const video = document.querySelector(tag)?.shadowRoot?.querySelector('video');
    if (video) video.requestVideoFrameCallback(shown);
    else requestAnimationFrame(look);
  };
  look();
}

/** How long a page may take on a loaded machine, in ms. */
const PATIENCE_MS = 30_000;

/** A page that is watched from before it begins. What waits for it throws `RefusedError` or `NoPictureError`. */
export interface TracedPage {
  /** Done when media can flow. */
  connected(): Promise<void>;
  frame(): Promise<FirstFrame>;
  close(): Promise<void>;
}

/**
 * Opens the address in a fresh profile, where nothing is cached, and watches for the first frame of the tag's video.
 * @param network what its media goes through; absent: the loopback interface
 * @throws {NoPictureError} the page does not even begin
 */
export async function openTraced(
  browser: Browser,
  url: string,
  tag: string,
  network?: DelayedNetwork,
): Promise<TracedPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const refusals: string[] = [];
  page.on('response', (response) => {
    const isCall = response.url().endsWith('/api/director/subscribe') && response.request().method() === 'POST';
    if (isCall && response.status() >= 400) refusals.push(`status ${response.status()}`);
  });
  const marked = async (attribute: string): Promise<void> => {
    try {
      await page.locator(`html[${attribute}]`).waitFor({ state: 'attached', timeout: PATIENCE_MS });
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      const refusal = (await page.locator('html').getAttribute('data-refused')) ?? refusals.at(-1);
      throw refusal ? new RefusedError(refusal) : new NoPictureError(`${url} has no ${attribute}`, { cause: error });
    }
  };
  try {
    await network?.carryMedia(page);
    // The loader of TypeScript names functions by a helper of its own, which a page has not got.
    await page.addInitScript(`{ const __name = (named) => named; (${trace})('${tag}'); }`);
    await page.goto(url, { waitUntil: 'commit', timeout: PATIENCE_MS });
  } catch (error) {
    await context.close();
    throw error instanceof errors.TimeoutError ? new NoPictureError(`${url} does not open`, { cause: error }) : error;
  }
  return {
    connected: () => marked('data-connected'),
    frame: async () => {
      await marked('data-first-frame');
      return readMarks(JSON.parse((await page.getAttribute('html', 'data-first-frame'))!));
    },
    close: () => context.close(),
  };
}

/** Opens a page, waits for its first frame and closes it. */
export async function traceFirstFrame(
  browser: Browser,
  url: string,
  tag: string,
  network?: DelayedNetwork,
): Promise<FirstFrame> {
  const page = await openTraced(browser, url, tag, network);
  try {
    return await page.frame();
  } finally {
    await page.close();
  }
}

/** What came earlier than the step before took no time of its own: it was done meanwhile. */
function readMarks({ origin, ...marks }: Partial<Record<Step | 'origin', number>>): FirstFrame {
  let reached = 0;
  const steps = Object.fromEntries(
    STEPS.map((step) => {
      const before = reached;
      reached = Math.max(before, marks[step] ?? before);
      return [step, reached - before];
    }),
  ) as Record<Step, number>;
  return { ms: marks.show!, at: origin! + marks.show!, steps };
}

/** The median of each step, as figures of a benchmark. They need not add up to the median of the whole. */
export function stepFigures(whose: string, frames: readonly FirstFrame[]): Record<string, number> {
  return Object.fromEntries(
    STEPS.map((step) => [
      `${whose}Step${step[0]!.toUpperCase()}${step.slice(1)}Ms`,
      median(frames.map(({ steps }) => steps[step])),
    ]),
  );
}
