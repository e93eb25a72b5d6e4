import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserLauncher } from '@web/test-runner';
import { StandstillError } from '../../scripts/test-run/standstill.ts';
import { WebKitBrowser } from './webkit-browser.ts';

/** How often a page with tests is asked whether it answers. */
const LOOK_EVERY_MS = 10_000;

/** Runs each test file in a WebKit that runs no other file at the same time, with an empty storage. */
export function webkitLauncher(): BrowserLauncher {
  const running = new Map<string, WebKitBrowser>();
  const idle: WebKitBrowser[] = [];
  const launched: Promise<WebKitBrowser>[] = [];
  const standstills = new Map<string, StandstillError>();
  const launch = (): Promise<WebKitBrowser> => {
    const browser = WebKitBrowser.launch({ width: 800, height: 600 });
    launched.push(browser);
    return browser;
  };
  const browserOf = (id: string): WebKitBrowser => {
    const browser = running.get(id);
    if (!browser) throw new Error(`No browser for session ${id}`);
    return browser;
  };
  /** Asks the page for its title again and again, until its tests have ended. One that stands still is ended. */
  const watch = async (id: string, browser: WebKitBrowser): Promise<void> => {
    while (running.get(id) === browser) {
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
      await browser.title().catch((error: unknown) => {
        if (error instanceof StandstillError) standstills.set(id, error);
      });
      if (standstills.has(id)) return;
    }
  };
  return {
    name: 'WebKit',
    type: 'webdriver',
    async startSession(id, url) {
      const browser = idle.pop() ?? (await launch());
      running.set(id, browser);
      await browser.goto(url);
      void watch(id, browser);
    },
    isActive: (id) => running.has(id),
    // One that has ended has none.
    getBrowserUrl: (id) =>
      browserOf(id)
        .url()
        .catch(() => undefined),
    async stopSession(id) {
      const browser = browserOf(id);
      running.delete(id);
      const standstill = standstills.get(id);
      if (standstill) return { errors: [{ name: standstill.name, message: standstill.message }] };
      const clear = (): void => {
        localStorage.clear();
        sessionStorage.clear();
      };
      // One that does not answer is not used again.
      await browser.evaluate(clear, undefined).then(
        () => idle.push(browser),
        () => {},
      );
      return {};
    },
    async stop() {
      // One that could not be launched has failed its session.
      await Promise.allSettled(launched.map(async (browser) => (await browser).close()));
    },
    startDebugSession: () => Promise.reject(new Error('WebKit is tested without a window')),
  };
}
