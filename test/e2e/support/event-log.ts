import type { Page } from '@playwright/test';

/** Records the events of a page's tag from now on. Returns a function that returns their names. */
export async function noteEvents(page: Page, tag: string): Promise<() => Promise<string[]>> {
  await page.evaluate((name) => {
    const said: string[] = ((window as { said?: string[] }).said = []);
    for (const type of ['stream-live', 'stream-ended', 'stream-waiting', 'stream-rejected', 'stream-error'])
      document.querySelector(name)!.addEventListener(type, () => said.push(type));
  }, tag);
  return () => page.evaluate(() => (window as { said?: string[] }).said ?? []);
}

/** Counts the director calls of a page from now on, answered or not. */
export function countCalls(page: Page): () => number {
  let calls = 0;
  page.on('request', (request) => (calls += Number(request.url().includes('/api/director/'))));
  return () => calls;
}
