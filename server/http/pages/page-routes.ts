import { Router, type Request, type RequestHandler } from 'express';
import { accountId as accountIdSchema } from '../../../src/wire/text.js';
import { viewerLink } from '../../../src/wire/viewer-address.js';
import { scheduledPath } from '../../../src/wire/scheduled-stream.js';
import { calendarFile } from '../../accounts/schedule/calendar-file.js';
import type { ScheduleService } from '../../accounts/schedule/schedule-service.js';
import { logoPath } from '../../accounts/theme/theme.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import { NotFoundError } from '../../errors.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import type { RequestTurn } from '../request/request-turn.js';
import { AccountPages, type SubjectOf } from './account-pages.js';
import { oembedLink, requestedViewer } from './oembed-routes.js';
import { originOf } from './origin-of.js';
import { BuiltFiles, sendBuiltFile } from './built-files.js';
import { ANY_STYLE, EVERY_SITE, inlineSourceHashes, pageHeaders } from './page-headers.js';

/** For URLs that change with the file. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** For URLs that stay when the file changes. */
const FIVE_MINUTES = 'public, max-age=300';

/** Pages of other origins load these files as modules, which browsers fetch with CORS. */
const FOR_EVERY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** People add a slash to an address, and the files of a page are beside it. */
const WITH_SLASH = /^(\/(?:viewer|broadcaster|scheduled\/[\w-]+|api\/docs))\/+$/;

export interface PageRoutesOptions {
  /** Where the build writes pages and assets. */
  readonly publicDir: string;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl?: string | undefined;
  /** Where the pages load segments of recordings. Undefined: from this server. */
  readonly hlsCdnUrl?: string | undefined;
  readonly themes: Pick<ThemeService, 'shown'>;
  readonly schedule: Pick<ScheduleService, 'announced'>;
  readonly turn: RequestTurn;
}

/**
 * The hosted pages, the file of the script tag with its languages, and a text for each error code. Every site may embed
 * the viewer, the broadcaster and the page of a scheduled stream in a frame; no site may embed the dashboard. Other
 * requests pass on to the app, without these headers.
 */
export function pageRoutes(options: PageRoutesOptions): Router {
  const { publicDir, publicUrl, hlsCdnUrl, themes, schedule, turn } = options;
  const router = Router();
  const files = new BuiltFiles(publicDir);
  const headersOf = pageHeaders(hlsCdnUrl);
  const accountPages = new AccountPages(files, themes, headersOf);
  /** These pages are made for each request. */
  const inTurn: RequestHandler = async (req, _res, next) => {
    await turn(req);
    next();
  };
  /** The Content-Security-Policy names inline sources of the page, so the headers are made from the file that is sent. */
  const page = (name: string, frameAncestors: string, sources = inlineSourceHashes): RequestHandler => {
    let headers: RequestHandler | undefined;
    return (req, res, next) => {
      const found = files.get(name);
      if (!found) return next();
      headers ??= headersOf(frameAncestors, sources(String(found.bytes)));
      headers(req, res, (error?: unknown) => {
        if (error) return next(error);
        res.setHeader('cache-control', 'no-cache');
        sendBuiltFile(req, res, found);
      });
    };
  };
  router.use(withoutSlash);
  router.get(['/viewer', '/broadcaster', '/scheduled/:id'], inTurn);
  router.get('/viewer', accountPages.page('viewer.html', viewerSubject(publicUrl)));
  router.get('/viewer', page('viewer.html', EVERY_SITE));
  router.get('/broadcaster', accountPages.page('broadcaster.html', broadcasterSubject));
  router.get('/broadcaster', page('broadcaster.html', EVERY_SITE));
  router.get('/scheduled/:id.ics', calendar(schedule, publicUrl));
  router.get(
    '/scheduled/:id',
    statusOfScheduled(schedule),
    accountPages.page('scheduled.html', scheduledSubject(schedule, publicUrl)),
    page('scheduled.html', EVERY_SITE),
  );
  router.get('/theme/:accountId/:logo', logo(themes));
  // The script of the dashboard shows the page of the path.
  router.get(/^\/dashboard(?:\/[\w-]+)?\/?$/, page('dashboard.html', "'none'"));
  router
    .route('/api/docs')
    .get(page('api.html', "'none'", () => ANY_STYLE))
    .all(methodNotAllowed('GET'));

  // Names in `assets` contain a hash of the file.
  router.get(/^\/(assets\/[^/]+)$/, file(files, IMMUTABLE));
  router.get(/^\/(streamgate\.js|hls-player\.js|i18n\/[^/]+\.js)$/, file(files, FIVE_MINUTES));
  router.get(/^\/(errors\/\w+)$/, file(files, FIVE_MINUTES, asText));
  router.get(/^\/streamgate-(integrity\.json)$/, file(files, FIVE_MINUTES));
  router.get(/^\/((?:streamgate|hls-player|i18n\/\w+)-[^/]+\.js)$/, file(files, IMMUTABLE, withoutVersion));
  return router;
}

/** To the address of the page, with what follows it. */
const withoutSlash: RequestHandler = ({ method, path, originalUrl }, res, next) => {
  const page = method === 'GET' || method === 'HEAD' ? WITH_SLASH.exec(path)?.[1] : undefined;
  if (page === undefined) return next();
  const query = originalUrl.indexOf('?');
  res.redirect(308, page + (query < 0 ? '' : originalUrl.slice(query)));
};

/** A link to a viewer page names its stream, and other sites may show that. */
function viewerSubject(publicUrl: string | undefined): SubjectOf {
  return (req) => {
    const origin = originOf(req, publicUrl);
    const address = requestedViewer(req, origin);
    if (!address) return undefined;
    const { accountId, streamName } = address;
    const url = viewerLink(origin, { ...address, token: '' });
    return { accountId, link: oembedLink(origin, url), shared: { title: streamName, url, origin } };
  };
}

/** Links of the dashboard name the account. */
function broadcasterSubject({ query: { accountId } }: Request): ReturnType<SubjectOf> {
  const named = accountIdSchema.safeParse(accountId).data;
  return named === undefined ? undefined : { accountId: named };
}

/** The page must be there without the database too: then it has no theme, and asks for its stream again. */
async function announcedOrNone(schedule: PageRoutesOptions['schedule'], id: unknown) {
  return await schedule.announced(String(id)).catch(() => undefined);
}

/** Links to the page of a scheduled stream show its title and its time. */
function scheduledSubject(schedule: PageRoutesOptions['schedule'], publicUrl: string | undefined): SubjectOf {
  return async (req) => {
    const stream = await announcedOrNone(schedule, req.params['id']);
    if (!stream) return undefined;
    const { id, accountId, title, startsOn } = stream;
    const origin = originOf(req, publicUrl);
    const description = `${sharedTime.format(startsOn)} UTC`;
    return { accountId, shared: { title, description, url: origin + scheduledPath(id), origin } };
  };
}

/** Other sites show the same text to everybody, so it names the time zone. */
const sharedTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** The page says that there is no such stream, in the language of the visitor. */
function statusOfScheduled(schedule: PageRoutesOptions['schedule']): RequestHandler {
  return async (req, res, next) => {
    await schedule.announced(String(req.params['id'])).catch((error: unknown) => {
      if (error instanceof NotFoundError) res.status(404);
    });
    next();
  };
}

/** An entry for the calendar of a visitor. The link in it has no token: calendars are shared and sent on. */
function calendar(schedule: PageRoutesOptions['schedule'], publicUrl: string | undefined): RequestHandler {
  return async (req, res) => {
    const stream = await schedule.announced(String(req.params['id']));
    res.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    res.attachment('stream.ics').type('text/calendar');
    res.send(calendarFile(stream, originOf(req, publicUrl) + scheduledPath(stream.id)));
  };
}

/** The image of a theme, at the path of its present version. It is data of the account: nothing in it may run. */
function logo(themes: Pick<ThemeService, 'shown'>): RequestHandler<{ accountId: string; logo: string }> {
  return async (req, res, next) => {
    const accountId = accountIdSchema.safeParse(req.params.accountId).data;
    if (accountId === undefined) return next();
    const { logo } = await themes.shown(accountId);
    if (!logo || req.path !== logoPath(accountId, logo)) return next();
    res.set({
      ...FOR_EVERY_ORIGIN,
      'cache-control': IMMUTABLE,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': logo.type,
    });
    res.send(logo.bytes);
  };
}

/** @param fileNameOf the name of the file for a requested name; empty: there is none */
function file(
  files: BuiltFiles,
  cacheControl: string,
  fileNameOf = (requested: string, _files: BuiltFiles): string => requested,
): RequestHandler<{ 0: string }> {
  return (req, res, next) => {
    const found = files.get(fileNameOf(req.params[0], files));
    if (!found) return next();
    res.set({ ...FOR_EVERY_ORIGIN, 'cache-control': cacheControl });
    sendBuiltFile(req, res, found);
  };
}

/** Pages of docs/errors are served as plain text. */
const asText = (requested: string): string => `${requested}.txt`;

/**
 * `streamgate-1.2.3.js` is `streamgate.js` if this is version 1.2.3, and is not found otherwise. Pages use such a URL
 * together with the hash of the file (subresource integrity).
 */
function withoutVersion(requested: string, files: BuiltFiles): string {
  const integrity = files.get('integrity.json');
  if (!integrity) return '';
  const { version } = JSON.parse(String(integrity.bytes));
  const ending = `-${version}.js`;
  return requested.endsWith(ending) ? `${requested.slice(0, -ending.length)}.js` : '';
}
