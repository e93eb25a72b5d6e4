import { expect, type Browser, type CDPSession, type Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { openBarePage } from './pages.ts';

/** The picture: a binary number in black and white bars, the lowest bit left, above a moving square. */
export const PICTURE = { width: 160, height: 90, bars: 5, barHeight: 60 } as const;

const PICTURES_PER_SECOND = 10;
const MAX_BITRATE = 150_000;

export interface CanvasBroadcasterOptions {
  readonly origin: string;
  readonly streamName: string;
  readonly token: string;
  /** The number in the picture, up to 31. */
  readonly number: number;
}

/**
 * A headless broadcaster of a canvas, whose picture is cheap and shows a number. It has a browser process of its own, so
 * that a test can kill it alone.
 */
export class CanvasBroadcaster {
  readonly number: number;
  readonly #page: Page;
  readonly #browser: CDPSession;

  private constructor(number: number, page: Page, browser: CDPSession) {
    this.number = number;
    this.#page = page;
    this.#browser = browser;
  }

  /** Prepares the broadcaster without going live. */
  static async open(
    browser: Browser,
    { origin, streamName, token, number }: CanvasBroadcasterOptions,
  ): Promise<CanvasBroadcaster> {
    // Pages of one context may share a process.
    const context = await browser.newContext();
    const page = await context.newPage();
    await openBarePage(page, origin);
    await page.evaluate(prepare, {
      ...PICTURE,
      streamName,
      token,
      number,
      perSecond: PICTURES_PER_SECOND,
      maxBitrate: MAX_BITRATE,
    });
    return new CanvasBroadcaster(number, page, await context.newCDPSession(page));
  }

  /** Resolves when it is live. Tries again while the name is kept for the previous publisher. */
  async goLive(): Promise<void> {
    await this.#page.evaluate(() => (window as unknown as Prepared).goLive());
    await expect.poll(() => this.phase(), { intervals: [100] }).toBe('live');
  }

  phase(): Promise<string> {
    return this.#page.evaluate(() => (window as unknown as Prepared).broadcaster.phase.name);
  }

  /** The viewer count that the broadcaster received. */
  viewers(): Promise<number | undefined> {
    return this.#page.evaluate(() => {
      const { phase } = (window as unknown as Prepared).broadcaster;
      return phase.name === 'live' ? phase.viewers : undefined;
    });
  }

  /** Crashes its process, so that nothing is closed properly. */
  async kill(): Promise<void> {
    const crashed = this.#page.waitForEvent('crash');
    this.#browser.send('Page.crash').catch(() => {});
    await crashed;
  }

  /** Closes what is left. */
  async close(): Promise<void> {
    await this.#page.context().close();
  }
}

interface Prepared {
  broadcaster: Streamgate.Broadcaster;
  goLive(): void;
}

interface Preparation {
  readonly streamName: string;
  readonly token: string;
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly bars: number;
  readonly barHeight: number;
  readonly perSecond: number;
  readonly maxBitrate: number;
}

/** Runs in the page. */
async function prepare({ streamName, token, number, ...picture }: Preparation): Promise<void> {
  const { width, height, bars, barHeight, perSecond, maxBitrate } = picture;
  const file = '/streamgate.js';
  const { Broadcaster } = (await import(file)) as typeof Streamgate;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d')!;
  let drawn = 0;
  const draw = (): void => {
    drawn += 1;
    context.fillStyle = 'black';
    context.fillRect(0, 0, width, height);
    context.fillStyle = 'white';
    for (let bar = 0; bar < bars; bar++) {
      if (number & (1 << bar)) context.fillRect((bar * width) / bars, 0, width / bars, barHeight);
    }
    context.fillRect((drawn * 8) % width, barHeight + 10, 16, 16);
  };
  draw();
  setInterval(draw, 1_000 / perSecond);
  const broadcaster = new Broadcaster();
  const media = canvas.captureStream(perSecond);
  const goLive = (): void =>
    broadcaster.start({ endpoint: location.origin, accountId: 'main', streamName, token, media, maxBitrate });
  broadcaster.addEventListener('phasechange', () => {
    const { phase } = broadcaster;
    if (phase.name === 'rejected' && phase.reason === 'stream_in_use') setTimeout(goLive, 100);
  });
  Object.assign(window, { broadcaster, goLive });
}
