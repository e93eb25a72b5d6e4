import { chromium, type Browser, type Page } from 'playwright';
import { browserArguments } from '../../../scripts/find-browser.js';
import { toolPath } from '../../../scripts/tools.js';

/** Chromium with a hosted viewer page for each stream. */
export class BrowserViewers {
  readonly #browser: Browser;

  static async open(): Promise<BrowserViewers> {
    const executablePath = await toolPath('chromium');
    return new BrowserViewers(await chromium.launch({ args: [...browserArguments], executablePath }));
  }

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** @param origin of the page, and of the server that it asks where the stream is */
  async watch(origin: string, streamName: string, token: string): Promise<BrowserViewer> {
    const page = await this.#browser.newPage();
    await page.goto(`${origin}/viewer?${new URLSearchParams({ streamId: `main/${streamName}`, token })}`);
    return new BrowserViewer(page, streamName);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** A visitor of the hosted viewer page. */
export class BrowserViewer {
  readonly streamName: string;
  readonly #page: Page;

  constructor(page: Page, streamName: string) {
    this.#page = page;
    this.streamName = streamName;
  }

  /** How many pictures its video has decoded, and the phase of its tag. */
  async seen(): Promise<{ readonly pictures: number; readonly phase: string }> {
    return await this.#page.evaluate(() => {
      const viewer = document.querySelector('stream-viewer') as (Element & { phase: { name: string } }) | null;
      const video = viewer?.shadowRoot?.querySelector('video');
      return { pictures: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0, phase: viewer?.phase.name ?? 'none' };
    });
  }
}
