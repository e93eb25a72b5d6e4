import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** The sources of inline scripts and styles that a Content-Security-Policy allows. */
export interface InlineSourceHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The hashes of the inline scripts and styles of a page (CSP 3, 2.3.1). Only for pages of our own build. */
export function inlineSourceHashes(html: string): InlineSourceHashes {
  const hashes = (element: RegExp): string[] =>
    [...html.matchAll(element)].map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
  return {
    scripts: hashes(/<script type="module">([^]*?)<\/script>/g),
    styles: hashes(/<style>([^]*?)<\/style>/g),
  };
}

/** For the API page: its library writes inline styles (docs/decisions/0020). The page shows only our own document. */
export const ANY_STYLE: InlineSourceHashes = { scripts: [], styles: ["'unsafe-inline'"] };

/** May show a hosted page in a frame: all sites, and pages that somebody opened from a file, which `*` leaves out. */
export const EVERY_SITE = '* file:';

/** Makes the headers of a page that `frameAncestors` may show in a frame. */
export type PageHeaders = (frameAncestors: string, inline: InlineSourceHashes) => RequestHandler;

/**
 * The headers of a hosted page. No referrer is sent, because the URL of a page may hold a token. HSTS is left to the
 * proxy or app that ends TLS.
 *
 * @param hlsCdnUrl where the pages load segments of recordings; undefined: from this server
 */
export const pageHeaders =
  (hlsCdnUrl: string | undefined): PageHeaders =>
  (frameAncestors, inline) =>
    helmet({
      contentSecurityPolicy: contentSecurityPolicy(
        frameAncestors,
        inline,
        hlsCdnUrl ? [new URL(hlsCdnUrl).origin] : [],
      ),
      referrerPolicy: { policy: 'no-referrer' },
      frameguard: false,
      strictTransportSecurity: false,
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      // A cross-origin isolated page (for SharedArrayBuffer) can only embed frames that send this header too.
      crossOriginEmbedderPolicy: { policy: 'require-corp' },
      crossOriginOpenerPolicy: false,
    });

/** Allows nothing of other origins but recordings of a CDN, and inline only what the build wrote into the page. */
const contentSecurityPolicy = (
  frameAncestors: string,
  { scripts, styles }: InlineSourceHashes,
  recordings: readonly string[],
) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', 'mediastream:', ...recordings],
    'connect-src': ["'self'", 'ws:', 'wss:', ...recordings],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': frameAncestors.split(' '),
  },
});
