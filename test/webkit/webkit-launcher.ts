import type { BrowserLauncher } from '@web/test-runner';
import { WebKitBrowser } from './webkit-browser.ts';

/** Runs each test file in a WebKit that runs no other file at the same time, with an empty storage. */
export function webkitLauncher(): BrowserLauncher {
  const running = new Map<string, WebKitBrowser>();
  const idle: WebKitBrowser[] = [];
  const launched: Promise<WebKitBrowser>[] = [];
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
  return {
    name: 'WebKit',
    type: 'webdriver',
    async startSession(id, url) {
      const browser = idle.pop() ?? (await launch());
      running.set(id, browser);
      await browser.goto(url);
    },
    isActive: (id) => running.has(id),
    getBrowserUrl: (id) => browserOf(id).url(),
    async stopSession(id) {
      const browser = browserOf(id);
      running.delete(id);
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
