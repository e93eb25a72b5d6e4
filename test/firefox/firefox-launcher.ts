import type { BrowserLauncher } from '@web/test-runner';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { ASKS, firefoxLaunchOptions } from '../../scripts/find-firefox.ts';

/**
 * Runs each test file with a storage of its own, as playwright does with Chromium, and in a Firefox that runs no other
 * file at the same time, because only one window has the focus.
 */
export function firefoxLauncher(): BrowserLauncher {
  const pages = new Map<string, Page>();
  const idle: Browser[] = [];
  const launched: Promise<Browser>[] = [];
  const freeBrowser = (): Browser | Promise<Browser> => {
    const free = idle.pop();
    if (free) return free;
    const browser = launch(firefoxLaunchOptions(ASKS));
    launched.push(browser);
    return browser;
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
      const browser = await freeBrowser();
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
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
      const browser = page.browser();
      await page.browserContext().close();
      idle.push(browser);
      return {};
    },
    async stop() {
      await Promise.all(launched.map(async (browser) => (await browser).close()));
    },
    startDebugSession: () => Promise.reject(new Error('Firefox is tested without a window')),
  };
}

/**
 * Runs in the page. Tests dispatch an event to unplug a camera. Firefox delivers such untrusted events to the listeners of
 * a track only if they pass a fourth argument, which no other browser has.
 */
function hearUntrustedEvents(): void {
  const { addEventListener } = EventTarget.prototype;
  MediaStreamTrack.prototype.addEventListener = function (...[type, listener, options]: unknown[]) {
    Reflect.apply(addEventListener, this, [type, listener, options, true]);
  };
}
