import { chromium, errors, type Browser, type Page } from 'playwright';
import { browserArguments, findBrowser } from '../../scripts/find-browser.js';
import { NoPictureError } from '../crowds/misses.js';

/** Starts Chromium with a fake camera and microphone. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({ args: [...browserArguments], ...(executablePath && { executablePath }) });
}

/** Without a broadcaster nothing can be measured, so `goLive` tries several times. */
const ATTEMPTS = 3;
const LIVE_WITHIN_MS = 30_000;

export interface BroadcasterPage {
  /** Default: a page in a context of its own. */
  readonly newPage?: () => Promise<Page>;
  /** Further parameters of its address. */
  readonly query?: string;
}

/**
 * Goes live on the hosted broadcaster page. Resolves when media is received; the page stays open.
 * @throws {NoPictureError} the machine is so loaded that no attempt succeeds
 */
export async function goLive(
  browser: Browser,
  origin: string,
  streamName: string,
  token: string,
  { newPage = () => browser.newPage(), query = '' }: BroadcasterPage = {},
): Promise<Page> {
  for (let left = ATTEMPTS; ; left -= 1) {
    const page = await newPage();
    page.setDefaultTimeout(LIVE_WITHIN_MS);
    try {
      await page.goto(`${origin}/broadcaster?streamName=${streamName}${query}#token=${token}`);
      await page.getByRole('button', { name: 'Go live' }).click();
      await page
        .getByText(/^live$/i)
        .first()
        .waitFor();
      return page;
    } catch (error) {
      await page.close();
      if (!(error instanceof errors.TimeoutError)) throw error;
      if (left === 1) throw new NoPictureError('the broadcaster did not go live', { cause: error });
    }
  }
}
