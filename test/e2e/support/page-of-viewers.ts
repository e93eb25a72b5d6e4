import { expect, type Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { openBarePage } from './pages.ts';
import { PICTURE } from './canvas-broadcaster.ts';

interface PageViewer {
  readonly viewer: Streamgate.Viewer;
  readonly video: HTMLVideoElement;
  readonly phases: Streamgate.ViewerPhase[];
}

interface ViewersWindow {
  pageViewers: PageViewer[];
}

/** The observable state of a viewer. */
interface ViewerState {
  readonly phase: string;
  /** The error that ended the last connection, while reconnecting. */
  readonly lost: string | undefined;
  /** The viewer count that the viewer received. */
  readonly viewers: number | undefined;
  /** The number in the picture. Undefined without a picture. */
  readonly number: number | undefined;
  /** The playback position. It grows while the picture moves. */
  readonly time: number;
}

export interface ViewersOptions {
  readonly origin: string;
  readonly streamName: string;
  /** One for each viewer. Undefined for a viewer without a token. */
  readonly tokens: readonly (string | undefined)[];
}

/** Viewers of a `CanvasBroadcaster` without a tag, many on one page, each with a small picture. */
export class PageOfViewers {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(page: Page, { origin, streamName, tokens }: ViewersOptions): Promise<PageOfViewers> {
    await openBarePage(page, origin);
    await page.evaluate(openViewers, { streamName, tokens });
    return new PageOfViewers(page);
  }

  states(): Promise<ViewerState[]> {
    return this.#page.evaluate(readStates, PICTURE);
  }

  /** The phases of each viewer so far, in order. */
  phases(): Promise<string[][]> {
    return this.#page.evaluate(() =>
      (window as unknown as ViewersWindow).pageViewers.map(({ phases }) => phases.map(({ name }) => name)),
    );
  }
}

/**
 * Waits until every viewer shows the number of this broadcaster and its picture moves.
 * @returns for each viewer the milliseconds until then
 */
export async function expectAllPlay(pages: readonly PageOfViewers[], number: number): Promise<number[]> {
  const began = performance.now();
  const first = new Map<number, number>();
  const waits = new Map<number, number>();
  const missing = async (): Promise<string[]> => {
    const states = (await Promise.all(pages.map((page) => page.states()))).flat();
    return states.flatMap((viewer, index) => {
      const { phase, lost, number: shown, time } = viewer;
      if (phase !== 'live' || shown !== number) return [`${index}: ${phase}, ${lost ?? shown}`];
      if (!first.has(index)) first.set(index, time);
      if (first.get(index) === time) return [`${index}: ${phase}, and the picture does not move`];
      if (!waits.has(index)) waits.set(index, Math.round(performance.now() - began));
      return [];
    });
  };
  await expect
    .poll(missing, { message: `every viewer shows ${number}`, intervals: [100], timeout: 60_000 })
    .toEqual([]);
  return [...waits.values()];
}

/** Waits until every viewer has received this viewer count. */
export async function expectViewerCount(pages: readonly PageOfViewers[], count: number): Promise<void> {
  const counts = async () => {
    const states = (await Promise.all(pages.map((page) => page.states()))).flat();
    return [...new Set(states.map(({ viewers }) => viewers))];
  };
  await expect.poll(counts, { message: 'every viewer receives the same count' }).toEqual([count]);
}

/** Runs in the page. */
async function openViewers({ streamName, tokens }: Pick<ViewersOptions, 'streamName' | 'tokens'>): Promise<void> {
  const file = '/streamgate.js';
  const { Viewer } = (await import(file)) as typeof Streamgate;
  const pageViewers = tokens.map((token): PageViewer => {
    const video = Object.assign(document.createElement('video'), { muted: true, width: 80, height: 45 });
    const viewer = new Viewer();
    const phases: Streamgate.ViewerPhase[] = [];
    viewer.addEventListener('phasechange', () => {
      const { phase } = viewer;
      phases.push(phase);
      if (phase.name !== 'live' || video.srcObject === phase.media) return;
      video.srcObject = phase.media;
      // play() rejects when another stream replaces this one before its first frame.
      video.play().catch(() => {});
    });
    viewer.start({ endpoint: location.origin, accountId: 'main', streamName, token });
    return { viewer, video, phases };
  });
  document.body.replaceChildren(...pageViewers.map(({ video }) => video));
  Object.assign(window, { pageViewers });
}

/** Runs in the page. */
function readStates({ width, height, bars, barHeight }: typeof PICTURE): ViewerState[] {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const numberIn = (video: HTMLVideoElement): number | undefined => {
    if (video.videoWidth === 0) return undefined;
    context.drawImage(video, 0, 0, width, height);
    let number = 0;
    for (let bar = 0; bar < bars; bar++) {
      const [red] = context.getImageData(((bar + 0.5) * width) / bars, barHeight / 2, 1, 1).data;
      if (red! > 127) number |= 1 << bar;
    }
    return number;
  };
  return (window as unknown as ViewersWindow).pageViewers.map(({ viewer: { phase }, video }) => ({
    phase: phase.name,
    lost: phase.name === 'reconnecting' ? phase.error.message : undefined,
    viewers: phase.name === 'live' ? phase.viewers : undefined,
    number: numberIn(video),
    time: video.currentTime,
  }));
}
