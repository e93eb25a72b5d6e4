import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import type { BuiltFiles } from './built-files.js';
import { EVERY_SITE, inlineSourceHashes, type InlineSourceHashes, type PageHeaders } from './page-headers.js';
import { pageHead, type PageHead, type PageSubject } from './page-head.js';
import { PageTemplate } from './page-template.js';

interface Page {
  readonly template: PageTemplate;
  readonly etag: string;
  readonly inline: InlineSourceHashes;
  /** Of the page without a theme. */
  readonly headers: RequestHandler;
}

/** What a page is about, by its URL. Undefined: the page of the build is sent as it is. */
export type SubjectOf = (req: Request) => Subject | undefined | Promise<Subject | undefined>;

interface Subject extends Omit<PageSubject, 'theme'> {
  /** The `Link` header. */
  readonly link?: string;
}

/**
 * Pages of the build, each with the theme of the account that its URL names. Every site may show them in a frame. No
 * answer is kept: strangers would fill any store with pages of streams that do not exist.
 */
export class AccountPages {
  readonly #files: BuiltFiles;
  readonly #themes: Pick<ThemeService, 'shown'>;
  readonly #headersOf: PageHeaders;
  /** By the name of the file. */
  readonly #pages = new Map<string, Page>();

  constructor(files: BuiltFiles, themes: Pick<ThemeService, 'shown'>, headersOf: PageHeaders) {
    this.#files = files;
    this.#themes = themes;
    this.#headersOf = headersOf;
  }

  /** Sends the page, or passes the request on if the URL names nothing, or there is nothing to add. */
  page(fileName: string, subjectOf: SubjectOf): RequestHandler {
    return async (req, res, next) => {
      const subject = await subjectOf(req);
      if (subject?.link !== undefined) res.setHeader('link', subject.link);
      const page = subject && this.#page(fileName);
      if (!page) return next();
      const theme = await this.#themes.shown(subject.accountId);
      const head = pageHead({ ...subject, theme });
      if (!head.tags && !head.icon) return next();
      // Each style that the policy names is one of the build, or of the theme.
      const added = inlineSourceHashes(head.tags);
      const inline = { scripts: page.inline.scripts, styles: [...page.inline.styles, ...added.styles] };
      const headers = added.styles.length === 0 ? page.headers : this.#headersOf(EVERY_SITE, inline);
      headers(req, res, (error?: unknown) => {
        if (error) next(error);
        else send(req, res, page, head);
      });
    };
  }

  #page(fileName: string): Page | undefined {
    const known = this.#pages.get(fileName);
    if (known) return known;
    const file = this.#files.get(fileName);
    if (!file) return undefined;
    const html = String(file.bytes);
    const inline = inlineSourceHashes(html);
    const headers = this.#headersOf(EVERY_SITE, inline);
    const page: Page = { template: new PageTemplate(html), etag: file.etag, inline, headers };
    this.#pages.set(fileName, page);
    return page;
  }
}

function send(req: Request, res: Response, { template, etag }: Page, head: PageHead): void {
  const added = createHash('sha256').update(JSON.stringify([etag, head]));
  const tag = added.digest('base64url').slice(0, 22);
  const isCompressed = req.acceptsEncodings('gzip') !== false;
  res.vary('accept-encoding').type('html').setHeader('cache-control', 'no-cache');
  res.setHeader('etag', isCompressed ? `"${tag}-gzip"` : `"${tag}"`);
  if (isCompressed) res.setHeader('content-encoding', 'gzip');
  if (req.fresh) return void res.status(304).end();
  const parts = isCompressed ? template.gzip(head) : template.plain(head);
  res.setHeader('content-length', String(parts.reduce((sum, { length }) => sum + length, 0)));
  if (req.method === 'HEAD') return void res.end();
  res.cork();
  for (const part of parts) res.write(part);
  res.end();
}
