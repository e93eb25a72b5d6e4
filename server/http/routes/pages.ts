import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { inlineSources, type InlineSources } from '../inline-sources.js';

/** What a page of ours may do: nothing from elsewhere, and only what the build wrote into the page itself. */
const contentSecurityPolicy = (frameAncestors: string, { scripts, styles }: InlineSources) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', 'mediastream:'],
    'connect-src': ["'self'", 'ws:', 'wss:'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': [frameAncestors],
  },
});

const NOTHING_INLINE: InlineSources = { scripts: [], styles: [] };

/**
 * Addresses of pages may hold a token, so they are never passed on as a referrer. Whether browsers insist on TLS is
 * for whoever ends the TLS to say.
 */
export const pageHeaders = (frameAncestors: string, inline = NOTHING_INLINE): RequestHandler =>
  helmet({
    contentSecurityPolicy: contentSecurityPolicy(frameAncestors, inline),
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: false,
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
  });

const YEAR_MS = 31_536_000_000;
/** For files whose address stays when they change. */
const SHORTLY_MS = 300_000;

/**
 * The hosted pages, the file behind the script tag, and its languages. Viewer and broadcaster may be put in frames on any site; the
 * dashboard may not.
 * @param publicDir where the build put pages and assets
 */
export function pageRoutes(publicDir: string): Router {
  const router = Router();
  router.get('/viewer', page(join(publicDir, 'viewer.html'), '*'));
  router.get('/broadcaster', page(join(publicDir, 'broadcaster.html'), '*'));
  router.get('/dashboard', page(join(publicDir, 'dashboard.html'), "'none'"));

  // What is not there is for the app around us to answer, and has none of these headers then.
  const files = (folder: string, options: Parameters<typeof express.static>[1]): RequestHandler =>
    express.static(join(publicDir, folder), { index: false, redirect: false, setHeaders: setAssetHeaders, ...options });
  router.use('/assets', files('assets', { immutable: true, maxAge: YEAR_MS }));
  router.use('/words', files('words', { maxAge: SHORTLY_MS }));
  router.get('/streamgate.js', (_req, res) => {
    setAssetHeaders(res);
    res.sendFile(join(publicDir, 'streamgate.js'), { maxAge: SHORTLY_MS });
  });
  return router;
}

/** Sites elsewhere load these as modules, which browsers fetch with CORS. */
function setAssetHeaders(res: ServerResponse): void {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('cross-origin-resource-policy', 'cross-origin');
  res.setHeader('x-content-type-options', 'nosniff');
}

/** A page is read once, when somebody first asks for it, so that its policy is always that of what is sent. */
function page(file: string, frameAncestors: string): RequestHandler {
  let read: { html: string; zipped: Buffer; headers: RequestHandler } | undefined;
  return (req, res, next) => {
    if (!read) {
      const html = readFileSync(file, 'utf8');
      read = { html, zipped: gzipSync(html), headers: pageHeaders(frameAncestors, inlineSources(html)) };
    }
    const { html, zipped, headers } = read;
    headers(req, res, (error?: unknown) => {
      if (error) return next(error);
      res.setHeader('cache-control', 'no-cache');
      res.vary('accept-encoding').type('html');
      if (!req.acceptsEncodings('gzip')) return res.send(html);
      res.setHeader('content-encoding', 'gzip');
      res.send(zipped);
    });
  };
}
