// Finds a Firefox to test in, or installs one. `node scripts/find-firefox.ts` prints where it is.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'puppeteer-core';
import { installDebianPackage } from './debian-package.ts';

const SYSTEM_NAMES = ['firefox', 'firefox-esr'];
const APPS = ['/Applications/Firefox.app/Contents/MacOS/firefox', 'C:\\Program Files\\Mozilla Firefox\\firefox.exe'];

/** FIREFOX_PATH, then the system's; undefined where there is none. */
export function findFirefox(): string | undefined {
  const named = process.env['FIREFOX_PATH'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`FIREFOX_PATH is ${named}, and there is no such file. Correct it or unset it.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...APPS];
  return candidates.find((path) => existsSync(path));
}

/** Installs the distribution's, as root on Debian. Says where it is. */
export async function installFirefox(): Promise<string> {
  process.stdout.write('no Firefox found; installing one\n');
  await installDebianPackage('firefox-esr');
  const installed = findFirefox();
  if (installed) return installed;
  throw new Error(
    'No Firefox could be installed. Install it by hand, and set FIREFOX_PATH to its program if it is in no usual place.',
  );
}

/** Where pages have to ask for camera and microphone, and nobody is there to say no. */
export const ASKS: Preferences = { 'media.navigator.permission.disabled': true };

/**
 * Where every page may use them for good. Firefox looks for a way to the loopback address only for such pages, and
 * when it is told to; for all others it takes the address of the default route alone.
 */
export const ALLOWS: Preferences = {
  'permissions.default.camera': 1,
  'permissions.default.microphone': 1,
  'media.peerconnection.ice.loopback': true,
};

type Preferences = Readonly<Record<string, string | number | boolean>>;

/**
 * How puppeteer starts the Firefox that people have, by WebDriver BiDi, with made-up devices. playwright has a Firefox
 * of its own, and of the others it wants a command that 153 does not know (`emulation.setMediaFeaturesOverride`).
 */
export function firefoxLaunchOptions(preferences: Preferences): LaunchOptions {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('No Firefox found. Run: node scripts/find-firefox.ts');
  return {
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      // Else a window lists its devices only while it has the focus, which one of several has.
      'media.devices.unfocused.enabled': true,
      ...preferences,
    },
  };
}

if (import.meta.main) process.stdout.write(`${findFirefox() ?? (await installFirefox())}\n`);
