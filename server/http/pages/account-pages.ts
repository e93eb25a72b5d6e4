import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { ExpiringMap } from '../../expiring-map.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import type { BuiltFiles } from './built-files.js';
import { inlineSourceHashes, type PageHeaders } from './page-headers.js';
import { pageHead, withPageHead, type PageHead, type PageSubject } from './page-head.js';

/** Viewers of one stream get the same page. */
const KEPT_PAGES = 64;
const KEPT_FOR_MS = 60_000;

const COMPRESSIONS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const;

type Encoding = keyof typeof COMPRESSIONS;

interface ComposedPage {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: RequestHandler;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

/** What a page is about, by its URL. Undefined: the page of the build is sent as it is. */
export type SubjectOf = (req: Request) => Subject | undefined | Promise<Subject | undefined>;

type Subject = Omit<PageSubject, 'theme'>;

/** Pages of the build, each with the theme of the account that its URL names. Every site may show them in a frame. */
export class AccountPages {
  readonly #files: BuiltFiles;
  readonly #themes: Pick<ThemeService, 'shown'>;
  readonly #headersOf: PageHeaders;
  readonly #composed = new ExpiringMap<ComposedPage>({
    capacity: KEPT_PAGES,
    lifeMs: KEPT_FOR_MS,
    now: () => performance.now(),
  });

  constructor(files: BuiltFiles, themes: Pick<ThemeService, 'shown'>, headersOf: PageHeaders) {
    this.#files = files;
    this.#themes = themes;
    this.#headersOf = headersOf;
  }

  /** Sends the page, or passes the request on if the URL names nothing, or there is nothing to add. */
  page(fileName: string, subjectOf: SubjectOf): RequestHandler {
    return async (req, res, next) => {
      const subject = await subjectOf(req);
      const file = subject && this.#files.get(fileName);
      if (!file) return next();
      const theme = await this.#themes.shown(subject.accountId);
      const head = pageHead({ ...subject, theme });
      if (!head.tags && !head.icon) return next();
      const page = this.#compose(fileName, file.bytes, head);
      await promisify(page.headers)(req, res);
      await send(req, res, page);
    };
  }

  #compose(fileName: string, built: Buffer, head: PageHead): ComposedPage {
    const key = JSON.stringify([fileName, head]);
    const known = this.#composed.get(key);
    if (known) return known;
    const composed = withPageHead(String(built), head);
    const page: ComposedPage = {
      bytes: Buffer.from(composed),
      etag: createHash('sha256').update(composed).digest('base64url').slice(0, 22),
      headers: this.#headersOf('*', inlineSourceHashes(composed)),
      encoded: new Map(),
    };
    this.#composed.set(key, page);
    return page;
  }
}

async function send(req: Request, res: Response, { bytes, etag, encoded }: ComposedPage): Promise<void> {
  const encoding = (['br', 'gzip'] as const).find((each) => req.acceptsEncodings(each));
  res.vary('accept-encoding').type('html').setHeader('cache-control', 'no-cache');
  res.setHeader('etag', encoding ? `"${etag}-${encoding}"` : `"${etag}"`);
  if (!encoding) return void res.send(bytes);
  const compressed = encoded.get(encoding) ?? COMPRESSIONS[encoding](bytes);
  encoded.set(encoding, compressed);
  res.setHeader('content-encoding', encoding);
  res.send(await compressed);
}
