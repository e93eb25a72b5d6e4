import type { Browser, Page } from 'playwright';
import type * as Streamgate from '../../src/cdn.js';
import { TIME_CODE } from './time-code.js';

/** Opens a page that watches a stream with the headless viewer, and reads the time codes in its pictures. */
export class Glass {
  readonly #page: Page;

  static async open(browser: Browser, origin: string, streamName: string): Promise<Glass> {
    const page = await browser.newPage();
    await page.goto(`${origin}/healthz`);
    await page.evaluate(watch, { ...TIME_CODE, streamName });
    return new Glass(page);
  }

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Begins to watch. @returns how long the first picture took, in ms */
  join(): Promise<number> {
    return this.#page.evaluate(() => window.watching.join());
  }

  leave(): Promise<void> {
    return this.#page.evaluate(() => window.watching.leave());
  }

  /** How old the pictures were that came in this time, each when it was given to the screen, in ms. */
  agesFor(ms: number): Promise<number[]> {
    return this.#page.evaluate((time) => window.watching.agesFor(time), ms);
  }

  close(): Promise<void> {
    return this.#page.close();
  }
}

interface Watching {
  join(): Promise<number>;
  leave(): Promise<void>;
  agesFor(ms: number): Promise<number[]>;
}

declare global {
  interface Window {
    /** Set by `watch`. */
    watching: Watching;
  }
}

/** Runs in the page. */
async function watch(given: {
  bits: number;
  blockWidth: number;
  blockHeight: number;
  streamName: string;
}): Promise<void> {
  const { bits, blockWidth, blockHeight, streamName } = given;
  const library = '/streamgate.js';
  const { Viewer } = (await import(library)) as typeof Streamgate;
  const video = document.createElement('video');
  video.muted = true;
  video.autoplay = true;
  document.body.append(video);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bits, 1];
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const range = 2 ** bits;
  let ages: number[] = [];
  const seen = (now: number, { expectedDisplayTime }: VideoFrameCallbackMetadata): void => {
    video.requestVideoFrameCallback(seen);
    // One point of each block: the middle, where the coding of the edges does not reach.
    for (let bit = 0; bit < bits; bit++) {
      const [x, y] = [(bit + 0.5) * blockWidth, blockHeight / 2];
      context.drawImage(video, x, y, 1, 1, bit, 0, 1, 1);
    }
    const { data } = context.getImageData(0, 0, bits, 1);
    const code = Array.from({ length: bits }, (_, bit) => (data[4 * bit]! > 127 ? 2 ** bit : 0)).reduce(
      (a, b) => a + b,
    );
    const shownAt = Math.round(performance.timeOrigin + Math.max(now, expectedDisplayTime)) % range;
    const age = (shownAt - code + range) % range;
    // The two clocks of a page differ by some milliseconds: a small age can be below 0.
    ages.push(age > range / 2 ? age - range : age);
  };
  // One reader for all joins: more of them would keep the page busy while it joins again.
  let isReading = false;
  let viewer: InstanceType<typeof Viewer> | undefined;
  window.watching = {
    join: () =>
      new Promise((resolve) => {
        const start = performance.now();
        viewer = new Viewer();
        viewer.addEventListener('phasechange', () => {
          const phase = viewer!.phase;
          if (phase.name === 'live' && video.srcObject !== phase.media) video.srcObject = phase.media;
        });
        video.requestVideoFrameCallback(() => {
          resolve(performance.now() - start);
          if (!isReading) video.requestVideoFrameCallback(seen);
          isReading = true;
        });
        viewer.start({ endpoint: location.origin, accountId: 'main', streamName });
      }),
    async leave() {
      viewer?.stop();
      video.srcObject = null;
    },
    async agesFor(ms) {
      ages = [];
      await new Promise((resolve) => setTimeout(resolve, ms));
      return ages;
    },
  };
}
