// Finds a Chromium to test in, or installs one. `node scripts/find-browser.ts` prints where it is.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';
import { installDebianPackage } from './debian-package.ts';
import { runCommand } from './run-command.ts';

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
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    chromium.executablePath(),
    ...SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...APPS,
  ];
  return candidates.find((path) => path && existsSync(path));
}

/** Installs the browser of the distribution (root on Debian) or of playwright. Returns its path. */
export async function installBrowser(): Promise<string> {
  process.stdout.write('no Chromium found; installing one\n');
  await installDebianPackage('chromium');
  if (!findBrowser()) await runCommand('npx', ['playwright', 'install', 'chromium']);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'No browser could be installed. Install Chromium or Google Chrome by hand. If it is not in the PATH, set CHROME_PATH to its program.',
  );
}

if (import.meta.main) process.stdout.write(`${findBrowser() ?? (await installBrowser())}\n`);
