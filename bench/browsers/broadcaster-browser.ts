import { chromium, errors, type Browser, type Page } from 'playwright';
import { browserArguments, findBrowser } from '../../scripts/find-browser.js';
import { NoPictureError } from '../crowds/misses.js';

/** A Chromium whose camera and microphone are made up. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({ args: [...browserArguments], ...(executablePath && { executablePath }) });
}

/** How often a broadcaster tries: without one there is nothing to measure. */
const ATTEMPTS = 3;
const LIVE_WITHIN_MS = 30_000;

/**
 * Goes live from the hosted broadcaster, and is done when media flows. The page stays open.
 * @throws {NoPictureError} on a machine so loaded that it does not go live in several attempts
 */
export async function goLive(browser: Browser, origin: string, streamName: string, token: string): Promise<Page> {
  for (let left = ATTEMPTS; ; left -= 1) {
    const page = await browser.newPage();
    page.setDefaultTimeout(LIVE_WITHIN_MS);
    try {
      await page.goto(`${origin}/broadcaster?streamName=${streamName}#token=${token}`);
      await page.getByRole('button', { name: 'Go live' }).click();
      await page
        .getByText(/^live$/i)
        .first()
        .waitFor();
      return page;
    } catch (error) {
      await page.close();
      if (!(error instanceof errors.TimeoutError)) throw error;
      if (left === 1) throw new NoPictureError('the broadcaster does not go live', { cause: error });
    }
  }
}
