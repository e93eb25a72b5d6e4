import { join } from 'node:path';
import express, { Router, type RequestHandler } from 'express';
import helmet from 'helmet';

const YEAR_MS = 31_536_000_000;

/** What a page of ours may do: nothing from elsewhere, and no script or style written into the page itself. */
const contentSecurityPolicy = (frameAncestors: string) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', 'mediastream:'],
    'connect-src': ["'self'", 'ws:', 'wss:'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': [frameAncestors],
  },
});

/**
 * Addresses of pages may hold a token, so they are never passed on as a referrer. Whether browsers insist on TLS is
 * for whoever ends the TLS to say.
 */
export const pageHeaders = (frameAncestors: string): RequestHandler =>
  helmet({
    contentSecurityPolicy: contentSecurityPolicy(frameAncestors),
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: false,
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
  });

/**
 * The hosted pages, and the file behind the script tag. Viewer and broadcaster may be put in frames on any site; the
 * dashboard may not.
 * @param publicDir where the build put pages and assets
 */
export function pageRoutes(publicDir: string): Router {
  const router = Router();
  const page = (name: string, frameAncestors: string) =>
    router.get(`/${name}`, pageHeaders(frameAncestors), (_req, res) => {
      res.setHeader('cache-control', 'no-cache');
      res.sendFile(join(publicDir, `${name}.html`));
    });
  page('viewer', '*');
  page('broadcaster', '*');
  page('dashboard', "'none'");

  // Sites elsewhere load these as modules, which browsers fetch with CORS.
  const assetHeaders: RequestHandler = (_req, res, next) => {
    res.setHeader('access-control-allow-origin', '*');
    res.setHeader('cross-origin-resource-policy', 'cross-origin');
    res.setHeader('x-content-type-options', 'nosniff');
    next();
  };
  router.use(
    '/assets',
    assetHeaders,
    express.static(join(publicDir, 'assets'), { immutable: true, maxAge: YEAR_MS, index: false }),
  );
  router.get('/streamgate.js', assetHeaders, (_req, res) => {
    res.setHeader('cache-control', 'public, max-age=300');
    res.sendFile(join(publicDir, 'streamgate.js'));
  });
  return router;
}
