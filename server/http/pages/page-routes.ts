import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { BuiltFiles, sendBuiltFile } from './built-files.js';
import { inlineSourceHashes, type InlineSourceHashes } from './inline-sources.js';
import { methodNotAllowed } from '../middleware/not-found.js';

/** What a page of ours may do: nothing from elsewhere, and only what the build wrote into the page itself. */
const contentSecurityPolicy = (frameAncestors: string, { scripts, styles }: InlineSourceHashes) => ({
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

/** The library behind the API page writes styles into its elements (docs/decisions/0020). It shows our document alone. */
const ANY_STYLE: InlineSourceHashes = { scripts: [], styles: ["'unsafe-inline'"] };

/**
 * Addresses of pages may hold a token, so they are never passed on as a referrer. Whether browsers insist on TLS is
 * for whoever ends the TLS to say.
 */
const pageHeaders = (frameAncestors: string, inline: InlineSourceHashes): RequestHandler =>
  helmet({
    contentSecurityPolicy: contentSecurityPolicy(frameAncestors, inline),
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: false,
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // A page that is isolated from others (for SharedArrayBuffer) takes no frame that does not ask as much of its own.
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    crossOriginOpenerPolicy: false,
  });

/** Of what is at an address that is another when the file is. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Of what is at an address that stays when the file changes. */
const FOR_FIVE_MINUTES = 'public, max-age=300';

/** Sites elsewhere load these as modules, which browsers fetch with CORS. */
const FOR_EVERY_SITE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * The hosted pages, the file behind the script tag, its languages, and a text about each error code. Viewer and broadcaster may be put in frames on
 * any site; the dashboard may not. What is not there is for the app around us to answer, and has none of our headers.
 * @param publicDir where the build put pages and assets
 */
export function pageRoutes(publicDir: string): Router {
  const router = Router();
  const files = new BuiltFiles(publicDir);
  router.get('/viewer', page(files, 'viewer.html', '*'));
  router.get('/broadcaster', page(files, 'broadcaster.html', '*'));
  router.get('/dashboard', page(files, 'dashboard.html', "'none'"));
  router
    .route('/api/docs')
    .get(page(files, 'api.html', "'none'", () => ANY_STYLE))
    .all(methodNotAllowed('GET'));

  // Those in `assets` have a hash in their names.
  router.get(/^\/(assets\/[^/]+)$/, file(files, FOR_GOOD));
  router.get(/^\/(streamgate\.js|i18n\/[^/]+\.js)$/, file(files, FOR_FIVE_MINUTES));
  router.get(/^\/(errors\/\w+)$/, file(files, FOR_FIVE_MINUTES, asText));
  router.get(/^\/streamgate-(integrity\.json)$/, file(files, FOR_FIVE_MINUTES));
  router.get(/^\/((?:streamgate|i18n\/\w+)-[^/]+\.js)$/, file(files, FOR_GOOD, unpinned));
  return router;
}

/** @param nameOf what is asked for, by the address; empty: nothing */
function file(
  files: BuiltFiles,
  caching: string,
  nameOf = (asked: string, _files: BuiltFiles): string => asked,
): RequestHandler<{ 0: string }> {
  return (req, res, next) => {
    const found = files.get(nameOf(req.params[0], files));
    if (!found) return next();
    res.set({ ...FOR_EVERY_SITE, 'cache-control': caching });
    sendBuiltFile(req, res, found);
  };
}

/** What a code means, as its page in the documentation says: read as it is written. */
const asText = (asked: string): string => `${asked}.txt`;

/** `streamgate-1.2.3.js` is `streamgate.js`, while this is version 1.2.3: for pages that hold the file to its hash. */
function unpinned(asked: string, files: BuiltFiles): string {
  const integrity = files.get('integrity.json');
  if (!integrity) return '';
  const { version } = JSON.parse(String(integrity.bytes));
  const ending = `-${version}.js`;
  return asked.endsWith(ending) ? `${asked.slice(0, -ending.length)}.js` : '';
}

/** Its policy names what the build wrote into it, so it is made of the very file that is sent. */
function page(files: BuiltFiles, name: string, frameAncestors: string, sources = inlineSourceHashes): RequestHandler {
  let headers: RequestHandler | undefined;
  return (req, res, next) => {
    const found = files.get(name);
    if (!found) return next();
    headers ??= pageHeaders(frameAncestors, sources(String(found.bytes)));
    headers(req, res, (error?: unknown) => {
      if (error) return next(error);
      res.setHeader('cache-control', 'no-cache');
      sendBuiltFile(req, res, found);
    });
  };
}
