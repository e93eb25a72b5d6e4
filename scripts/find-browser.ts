import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type * as Playwright from 'playwright';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Arguments of headless Chromium: no background services, and a fake camera. */
export const browserArguments: readonly string[] = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--disable-features=${[
    // Two peers of one page must connect on machines that do not resolve .local names.
    'WebRtcHideLocalIpsWithMdns',
    // Chromium 156 loads these pages of its address bar for each window: 2 s of CPU time for each test.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
  ]}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Returns CHROME_PATH, else playwright's browser, else the system's. Undefined if there is none. */
export function findBrowser(): string | undefined {
  const configured = process.env['CHROME_PATH'];
  if (configured) {
    if (existsSync(configured)) return configured;
    throw new Error(`CHROME_PATH is ${configured}, and there is no such file. Correct it or unset it.`);
  }
  // Loaded only here, because it takes a quarter of a second.
  const { chromium } = createRequire(import.meta.url)('playwright') as typeof Playwright;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    chromium.executablePath(),
    ...SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...APPS,
  ];
  return candidates.find((path) => path && existsSync(path));
}
