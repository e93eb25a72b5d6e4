import type { BrowserLauncher } from '@web/test-runner';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { ASKS, firefoxLaunchOptions } from '../../scripts/find-firefox.ts';

/** Runs each test file in a window and with a storage of its own, as playwright does with Chromium. */
export function firefoxLauncher(): BrowserLauncher {
  const pages = new Map<string, Page>();
  let starting: Promise<Browser> | undefined;
  let settled: Promise<unknown> = Promise.resolve();
  /** Firefox 153 loses a window that is opened while another closes. */
  const oneByOne = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const result = settled.then(act);
    settled = result.catch(() => {});
    return result;
  };
  const pageOf = (id: string): Page => {
    const page = pages.get(id);
    if (!page) throw new Error(`No page for session ${id}`);
    return page;
  };
  return {
    name: 'Firefox',
    type: 'puppeteer',
    async startSession(id, url) {
      const browser = await (starting ??= launch(firefoxLaunchOptions(ASKS)));
      const page = await oneByOne(async () => (await browser.createBrowserContext()).newPage());
      pages.set(id, page);
      await page.setViewport({ width: 800, height: 600 });
      await page.evaluateOnNewDocument(hearUntrustedEvents);
      await page.goto(url);
    },
    isActive: (id) => pages.has(id),
    getBrowserUrl: (id) => pageOf(id).url(),
    async stopSession(id) {
      const page = pageOf(id);
      pages.delete(id);
      await oneByOne(() => page.browserContext().close());
      return {};
    },
    async stop() {
      await (await starting)?.close();
    },
    startDebugSession: () => Promise.reject(new Error('Firefox is tested without a window')),
  };
}

/**
 * Runs in the page. Tests unplug a camera by an event of their own, and Firefox lets those who listen to a track hear
 * only its own events, unless they ask for others: by a fourth argument that it alone has.
 */
function hearUntrustedEvents(): void {
  const { addEventListener } = EventTarget.prototype;
  MediaStreamTrack.prototype.addEventListener = function (...[type, listener, options]: unknown[]) {
    Reflect.apply(addEventListener, this, [type, listener, options, true]);
  };
}
