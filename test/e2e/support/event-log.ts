import type { Page } from '@playwright/test';

/** Records the events of a page's tag from now on. Returns a function that returns their names. */
export async function noteEvents(page: Page, tag: string): Promise<() => Promise<string[]>> {
  await page.evaluate((name) => {
    const names: string[] = ((window as { eventNames?: string[] }).eventNames = []);
    for (const type of [
      'stream-live',
      'stream-interrupted',
      'stream-ended',
      'stream-waiting',
      'stream-rejected',
      'stream-error',
    ])
      document.querySelector(name)!.addEventListener(type, () => names.push(type));
  }, tag);
  return () => page.evaluate(() => (window as { eventNames?: string[] }).eventNames ?? []);
}
