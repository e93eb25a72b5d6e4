import { errors, type Browser } from 'playwright';
import type { DelayedNetwork } from './delayed-network.js';
import { median } from '../support/percentile.js';
import { NoPictureError, RefusedError } from '../crowds/misses.js';

/** The steps to a first frame, in their order. The time of a step counts from the end of the step before, in ms. */
export const STEPS = [
  /** The page and its script load and run until they call the director; our tag also creates its offer. */
  'page',
  /** The director answers. Includes the preflight, if there is one. */
  'auth',
  /** The websocket opens, if the offer waits for it. */
  'socket',
  /** The offer is created, if it does not exist yet, and sent. */
  'offer',
  /** The server sends the SDP answer. */
  'answer',
  /** The browser applies the SDP answer. */
  'described',
  /** ICE connects. */
  'ice',
  /** The DTLS handshake. */
  'dtls',
  /** The first packet of the video. */
  'packet',
  /** The last packet of its first frame. */
  'keyframe',
  /** The frame is decoded and shown. */
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
 * Runs in the page before its own scripts, and records the time of each step. It is the same for every page, and costs
 * little: it only listens to events.
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

  const shown = (_: number, frame: VideoFrameCallbackMetadata) => {
    const [call] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/api/director/subscribe')) as PerformanceResourceTiming[];
    // The SDP answer came with the director's answer: nothing waited for the websocket.
    if (marks['answer'] === undefined) Object.assign(marks, { socket: 0, offer: 0 });
    Object.assign(marks, { page: call?.startTime, auth: call?.responseEnd, keyframe: frame.receiveTime });
    // The time of the callback is that of the display's last tick. In a page without animation that tick may be earlier
    // than the frame.
    marks['show'] = frame.presentationTime;
    Object.assign(marks, { origin: performance.timeOrigin });
    document.documentElement.setAttribute('data-first-frame', JSON.stringify(marks));
  };
  const findVideo = (): void => {
    const video = document.querySelector(tag)?.shadowRoot?.querySelector('video');
    if (video) video.requestVideoFrameCallback(shown);
    else requestAnimationFrame(findVideo);
  };
  findVideo();
}

/** How long a page may take on a loaded machine, in ms. */
const STEP_WITHIN_MS = 30_000;

/** A page whose steps are recorded. The methods that wait throw `RefusedError` or `NoPictureError`. */
export interface TracedPage {
  /** Resolves when the peer connection is connected. */
  connected(): Promise<void>;
  frame(): Promise<FirstFrame>;
  close(): Promise<void>;
}

/**
 * Opens the address in a fresh profile with an empty cache, and waits for the first frame of the tag's video.
 * @param network carries the page's media; absent: the loopback interface
 * @throws {NoPictureError} the page does not open
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
      await page.locator(`html[${attribute}]`).waitFor({ state: 'attached', timeout: STEP_WITHIN_MS });
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      const refusal = (await page.locator('html').getAttribute('data-refused')) ?? refusals.at(-1);
      throw refusal ? new RefusedError(refusal) : new NoPictureError(`${url} has no ${attribute}`, { cause: error });
    }
  };
  try {
    await network?.carryMedia(page);
    // The TypeScript compiler may insert calls of a helper `__name`, which a page does not have.
    await page.addInitScript(`{ const __name = (named) => named; (${trace})('${tag}'); }`);
    await page.goto(url, { waitUntil: 'commit', timeout: STEP_WITHIN_MS });
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

/** A step that ended before the step before it took no time of its own. */
function readMarks({ origin, ...marks }: Partial<Record<Step | 'origin', number>>): FirstFrame {
  let end = 0;
  const steps = Object.fromEntries(
    STEPS.map((step) => {
      const before = end;
      end = Math.max(before, marks[step] ?? before);
      return [step, end - before];
    }),
  ) as Record<Step, number>;
  return { ms: marks.show!, at: origin! + marks.show!, steps };
}

/** The median of each step, as figures of a benchmark. Their sum may differ from the median of the whole time. */
export function stepFigures(prefix: string, frames: readonly FirstFrame[]): Record<string, number> {
  return Object.fromEntries(
    STEPS.map((step) => [
      `${prefix}Step${step[0]!.toUpperCase()}${step.slice(1)}Ms`,
      median(frames.map(({ steps }) => steps[step])),
    ]),
  );
}
