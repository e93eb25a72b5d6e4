import type { Page } from '@playwright/test';

/** Notes what a page's tag says from now on, and answers it. */
export async function noteEvents(page: Page, tag: string): Promise<() => Promise<string[]>> {
  await page.evaluate((name) => {
    const said: string[] = ((window as { said?: string[] }).said = []);
    for (const type of ['stream-live', 'stream-ended', 'stream-waiting', 'stream-rejected', 'stream-error'])
      document.querySelector(name)!.addEventListener(type, () => said.push(type));
  }, tag);
  return () => page.evaluate(() => (window as { said?: string[] }).said ?? []);
}

/** How often a page asks the director from now on, whether or not it is answered. */
export function countCalls(page: Page): () => number {
  let calls = 0;
  page.on('request', (request) => (calls += Number(request.url().includes('/api/director/'))));
  return () => calls;
}
