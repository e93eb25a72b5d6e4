import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'puppeteer-core';

const SYSTEM_NAMES = ['firefox', 'firefox-esr'];
const APPS = ['/Applications/Firefox.app/Contents/MacOS/firefox', 'C:\\Program Files\\Mozilla Firefox\\firefox.exe'];

/** Returns FIREFOX_PATH, else the system's Firefox. Undefined if there is none. */
export function findFirefox(): string | undefined {
  const configured = process.env['FIREFOX_PATH'];
  if (configured) {
    if (existsSync(configured)) return configured;
    throw new Error(`FIREFOX_PATH is ${configured}, and there is no such file. Correct it or unset it.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...APPS];
  return candidates.find((path) => existsSync(path));
}

/** Preferences under which pages ask for camera and microphone, and are allowed without a prompt. */
export const ASKS: Preferences = { 'media.navigator.permission.disabled': true };

/**
 * Preferences under which every page may use camera and microphone. Only such pages, with the third preference, get ICE
 * candidates of the loopback address; others get those of the default route only.
 */
export const ALLOWS: Preferences = {
  'permissions.default.camera': 1,
  'permissions.default.microphone': 1,
  'media.peerconnection.ice.loopback': true,
};

type Preferences = Readonly<Record<string, string | number | boolean>>;

/**
 * Options with which puppeteer starts a released Firefox, over WebDriver BiDi, with fake devices. playwright cannot: it
 * needs its own Firefox, or a command that Firefox 153 does not know (`emulation.setMediaFeaturesOverride`).
 */
export function firefoxLaunchOptions(preferences: Preferences): LaunchOptions {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('No Firefox found. Run: node scripts/tools.ts firefox');
  return {
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      // Fewer pictures cost less processor time, and no test counts them.
      'layout.frame_rate': 20,
      // Without this, a window lists its devices only while it has the focus, and only one window has it.
      'media.devices.unfocused.enabled': true,
      ...preferences,
    },
  };
}
