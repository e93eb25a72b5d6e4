// Finds WebKitGTK to test in. `node scripts/tools.ts webkit` installs it.
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that tests in WebKit need. */
export interface WebKitPrograms {
  /** Its WebDriver. */
  readonly driver: string;
  /** MiniBrowser, the browser that comes with it. */
  readonly browser: string;
  /** A display without a screen. */
  readonly display: string;
}

/** MiniBrowser is in no PATH. Debian has it in a folder of the architecture. */
const BROWSERS = ['/usr/lib/*/webkit2gtk-4.1/MiniBrowser', '/usr/libexec/webkit2gtk-4.1/MiniBrowser'];

/** Undefined if one of the programs is missing. */
export function findWebKit(): WebKitPrograms | undefined {
  const [driver, display] = ['WebKitWebDriver', 'Xvfb'].map(inPath);
  const browser = globSync(BROWSERS)[0];
  return driver && display && browser ? { driver, browser, display } : undefined;
}

function inPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
