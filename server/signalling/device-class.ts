import type { DeviceClass } from '../../src/wire/management/session.js';

const TV = /smart-?tv|appletv|googletv|hbbtv|web0s|webos|tizen|crkey|aft[a-z]|bravia/i;
const TABLET = /ipad|tablet|android(?!.*mobile)/i;
const PHONE = /mobi|iphone|ipod/i;
const DESKTOP = /windows|macintosh|x11|linux|cros/i;

/** The class of device that the header User-Agent names. An iPad that asks for desktop pages is a desktop. */
export function deviceClassOf(userAgent: string | undefined): DeviceClass {
  if (!userAgent) return 'unknown';
  if (TV.test(userAgent)) return 'tv';
  if (TABLET.test(userAgent)) return 'tablet';
  if (PHONE.test(userAgent)) return 'phone';
  return DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
}
