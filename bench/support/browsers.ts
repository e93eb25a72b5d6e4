import { chromium, type Browser, type Page } from 'playwright';
import { browserArguments, findBrowser } from '../../scripts/find-browser.js';

/** A Chromium whose camera and microphone are made up. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({ args: [...browserArguments], ...(executablePath && { executablePath }) });
}

/** Goes live from the hosted broadcaster, and is done when media flows. The page stays open. */
export async function goLive(browser: Browser, origin: string, streamName: string, token: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${origin}/broadcaster?streamName=${streamName}#token=${token}`);
  await page.getByRole('button', { name: 'Go live' }).click();
  await page
    .getByText(/^live$/i)
    .first()
    .waitFor();
  return page;
}
