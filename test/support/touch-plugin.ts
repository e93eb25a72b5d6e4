import type { TestRunnerPlugin } from '@web/test-runner';
import { PlaywrightLauncher } from '@web/test-runner-playwright';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Sends touch events to the page under test, for the command `touch`. Chromium only. */
export function touchPlugin(): TestRunnerPlugin<readonly [start: Point, end: Point]> {
  return {
    name: 'touch',
    async executeCommand({ command, payload, session }) {
      if (command !== 'touch' || !payload) return undefined;
      const { browser, id } = session;
      if (!(browser instanceof PlaywrightLauncher)) throw new Error('Only Chromium can be touched');
      const page = browser.getPage(id);
      const cdp = await page.context().newCDPSession(page);
      const [start, end] = payload;
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', [start]);
      if (end.x !== start.x || end.y !== start.y) await touch('touchMove', [end]);
      await touch('touchEnd', []);
      await cdp.detach();
      return true;
    },
  };
}
