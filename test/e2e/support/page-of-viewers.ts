import { expect, type Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { openBarePage } from './pages.ts';
import { PICTURE } from './canvas-broadcaster.ts';

/** One viewer in its page. */
interface Seat {
  readonly viewer: Streamgate.Viewer;
  readonly video: HTMLVideoElement;
  readonly phases: Streamgate.ViewerPhase[];
}

interface Seated {
  seats: Seat[];
}

/** The observable state of a viewer. */
interface Seen {
  readonly phase: string;
  /** The error that ended the last connection, while reconnecting. */
  readonly lost: string | undefined;
  /** The viewer count that the viewer received. */
  readonly viewers: number | undefined;
  /** The number in the picture. Undefined without a picture. */
  readonly stage: number | undefined;
  /** The playback position. It grows while the picture moves. */
  readonly time: number;
}

export interface ViewersOptions {
  readonly origin: string;
  readonly streamName: string;
  /** One for each viewer. Undefined for a viewer without a token. */
  readonly tokens: readonly (string | undefined)[];
}

/** Viewers of a `Stage` without a tag, many to a page, each with a small picture. */
export class PageOfViewers {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(page: Page, { origin, streamName, tokens }: ViewersOptions): Promise<PageOfViewers> {
    await openBarePage(page, origin);
    await page.evaluate(takeSeats, { streamName, tokens });
    return new PageOfViewers(page);
  }

  states(): Promise<Seen[]> {
    return this.#page.evaluate(look, PICTURE);
  }

  /** The phases of each viewer so far, in order. */
  phases(): Promise<string[][]> {
    return this.#page.evaluate(() =>
      (window as unknown as Seated).seats.map(({ phases }) => phases.map(({ name }) => name)),
    );
  }
}

/**
 * Waits until every viewer shows the number of this broadcaster and its picture moves.
 * @returns for each viewer the milliseconds until then
 */
export async function expectAllPlay(audiences: readonly PageOfViewers[], stage: number): Promise<number[]> {
  const began = performance.now();
  const first = new Map<number, number>();
  const waits = new Map<number, number>();
  const missing = async (): Promise<string[]> => {
    const seen = (await Promise.all(audiences.map((audience) => audience.states()))).flat();
    return seen.flatMap((viewer, index) => {
      const { phase, lost, stage: shown, time } = viewer;
      if (phase !== 'live' || shown !== stage) return [`${index}: ${phase}, ${lost ?? shown}`];
      if (!first.has(index)) first.set(index, time);
      if (first.get(index) === time) return [`${index}: ${phase}, and stands still`];
      if (!waits.has(index)) waits.set(index, Math.round(performance.now() - began));
      return [];
    });
  };
  await expect
    .poll(missing, { message: `everybody plays stage ${stage}`, intervals: [100], timeout: 60_000 })
    .toEqual([]);
  return [...waits.values()];
}

/** Waits until every viewer has received this viewer count. */
export async function expectViewerCount(audiences: readonly PageOfViewers[], count: number): Promise<void> {
  const told = async () => {
    const seen = (await Promise.all(audiences.map((audience) => audience.states()))).flat();
    return [...new Set(seen.map(({ viewers }) => viewers))];
  };
  await expect.poll(told, { message: 'every viewer is told the same count' }).toEqual([count]);
}

/** Runs in the page. */
async function takeSeats({ streamName, tokens }: Pick<ViewersOptions, 'streamName' | 'tokens'>): Promise<void> {
  const file = '/streamgate.js';
  const { Viewer } = (await import(file)) as typeof Streamgate;
  const seats = tokens.map((token): Seat => {
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
  document.body.replaceChildren(...seats.map(({ video }) => video));
  Object.assign(window, { seats });
}

/** Runs in the page. */
function look({ width, height, bars, barHeight }: typeof PICTURE): Seen[] {
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
  return (window as unknown as Seated).seats.map(({ viewer: { phase }, video }) => ({
    phase: phase.name,
    lost: phase.name === 'reconnecting' ? phase.error.message : undefined,
    viewers: phase.name === 'live' ? phase.viewers : undefined,
    stage: numberIn(video),
    time: video.currentTime,
  }));
}
