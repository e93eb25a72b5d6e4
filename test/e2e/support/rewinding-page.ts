import { expect, type Page } from '@playwright/test';

/** What plays a recording in a browser. */
export type RecordingPlayer = 'the HLS of the browser' | 'hls.js';

interface Played {
  readonly name: 'playing' | 'ended';
  /** In seconds. */
  readonly time: number;
}

/** The page of a viewer who can go back in a stream. */
export class RewindingPage {
  readonly page: Page;
  /** What the console of the page says is wrong. */
  readonly faults: string[] = [];
  /** The scripts of hls.js that were loaded. */
  readonly scripts: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      // Of a stream that is not live: the page says so.
      const isRefused = message.location().url.includes('/api/director/');
      if (message.type() === 'error' && !isRefused) this.faults.push(message.text());
    });
    page.on('request', (request) => request.url().endsWith('/hls-player.js') && this.scripts.push(request.url()));
  }

  /**
   * From the next page on, what is to play at the usual speed plays at another one, so that a busy machine acts in time;
   * and what is to play at twice the speed at four times, so that a test waits less.
   */
  async setPace(usual: number): Promise<void> {
    await this.page.addInitScript((slow) => {
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'playbackRate')!;
      const setPaced = function (this: HTMLMediaElement, rate: number): void {
        set!.call(this, rate === 1 ? slow : rate === 2 ? 4 : rate);
      };
      Object.defineProperty(HTMLMediaElement.prototype, 'playbackRate', { get: get!, set: setPaced });
    }, usual);
  }

  /** Opens the hosted viewer. @param more of its query */
  async open(
    { origin, streamName }: { readonly origin: string; readonly streamName: string },
    {
      player = 'the HLS of the browser',
      token,
      more = '',
    }: { readonly player?: RecordingPlayer; readonly token?: string; readonly more?: string } = {},
  ): Promise<void> {
    // As Firefox answers.
    if (player === 'hls.js') {
      await this.page.addInitScript(() => {
        const { canPlayType } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.canPlayType = function (type) {
          return type.includes('mpegurl') ? '' : canPlayType.call(this, type);
        };
      });
    }
    const fragment = token === undefined ? '' : `#token=${token}`;
    await this.page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted${more}${fragment}`);
  }

  /** Notes from now on where the recording begins to play, and where it ends. */
  async notePlaying(): Promise<void> {
    await this.page.locator('stream-viewer').evaluate(({ shadowRoot }) => {
      const played: Played[] = [];
      Object.assign(window, { played });
      // Events of media do not bubble.
      for (const name of ['playing', 'ended'] as const) {
        const note = ({ target }: Event): unknown =>
          played.push({ name, time: (target as HTMLVideoElement).currentTime });
        shadowRoot!.addEventListener(name, note, { capture: true });
      }
    });
  }

  /**
   * It ended at these times only, in seconds, and went on there. A playlist that the player reads late has some seconds
   * more than the first of them says: then it ends there.
   */
  async expectToHavePlayedTo(...ends: readonly number[]): Promise<void> {
    const played = await this.page.evaluate(() => Reflect.get(window, 'played') as Played[]);
    const text = JSON.stringify(played);
    const ended = played.flatMap(({ name, time }, index) => (name === 'ended' ? [{ time, index }] : []));
    expect(ended.length, text).toBe(ends.length);
    for (const [nth, { time, index }] of ended.entries()) {
      const isLast = nth === ends.length - 1;
      expect(time, text).toBeGreaterThan(ends[nth]! - 0.7);
      expect(time, text).toBeLessThan(isLast ? ends[nth]! + 0.7 : ends[nth + 1]!);
      const next = isLast ? undefined : played.slice(index).find(({ name }) => name === 'playing');
      if (!isLast) expect(Math.abs(next!.time - time), text).toBeLessThan(1);
    }
  }

  get slider() {
    return this.page.getByRole('slider', { name: 'Timeline' });
  }

  get fromBeginning() {
    return this.page.getByRole('button', { name: 'Watch from the beginning' });
  }

  async seekTo(seconds: number): Promise<void> {
    await this.page.locator('stream-viewer [part=timeline-slider]').evaluate((input: HTMLInputElement, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event('change'));
    }, seconds);
  }

  /** Where a time of the recording is on the slider, in pixels of the page. */
  async placeOf(seconds: number): Promise<{ readonly x: number; readonly y: number }> {
    const { x, y, width, height } = (await this.slider.boundingBox())!;
    const length = Number(await this.slider.getAttribute('max'));
    return { x: x + 8 + (seconds / length) * (width - 16), y: y + height / 2 };
  }

  /** The time and the width of the picture over the timeline, and where its middle is. */
  preview() {
    return this.page.locator('stream-viewer [part=timeline-preview]').evaluate((element) => {
      const { currentTime, videoWidth } = element.querySelector('video')!;
      const { left, right } = element.getBoundingClientRect();
      return {
        isVisible: element.checkVisibility(),
        text: element.textContent,
        time: currentTime,
        width: videoWidth,
        middle: (left + right) / 2,
      };
    });
  }

  /** Which video has a window of its own. */
  inWindow(): Promise<string | undefined> {
    return this.page
      .locator('stream-viewer')
      .evaluate(({ shadowRoot }) => shadowRoot!.pictureInPictureElement?.getAttribute('part') ?? undefined);
  }

  async setSpeed(label: '1×' | '2×'): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Speed' }).selectOption({ label });
  }

  async goToLive(): Promise<void> {
    await this.page.getByRole('button', { name: 'Go to live' }).click();
  }

  /** The time in the recording, in seconds, if it is visible. */
  time(): Promise<number> {
    return this.page.locator('stream-viewer').evaluate((viewer) => {
      const video = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
      return video ? video.currentTime : -1;
    });
  }

  /** The recording is visible, and plays from this time on. */
  async expectToPlayFrom(seconds: number): Promise<void> {
    await expect.poll(() => this.time()).toBeGreaterThan(seconds + 0.5);
    expect(await this.time()).toBeLessThan(seconds + 12);
  }

  async expectLive(): Promise<void> {
    await expect.poll(() => this.time()).toBe(-1);
  }
}
