import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { escapedHtml } from './escaped-html.js';
import { refusalTexts, type RefusalTexts } from './refusal-texts.js';

/** What a request got instead of an answer. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/** As the hosted pages. */
const STYLE = `:root{--ground:#f4f5f8;--ink:#15171c;--soft:#565d6b;--focus:#2456c9;color-scheme:light dark;color:var(--ink);background:var(--ground);font:400 16px/1.5 system-ui,sans-serif;-webkit-text-size-adjust:100%}
@media (prefers-color-scheme:dark){:root{--ground:#0e1014;--ink:#eef0f4;--soft:#a9b0bd;--focus:#8fb2ff}}
body{margin:0}main{display:grid;gap:8px;justify-items:start;box-sizing:border-box;max-width:34rem;margin:15vh auto 0;padding:24px;overflow-wrap:anywhere}
h1,p,dl,dd{margin:0}h1{font-size:1.35rem;line-height:1.25}a{color:var(--focus)}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.home{padding:8px 0}dl{display:grid;grid-template-columns:auto 1fr;gap:0 12px;color:var(--soft);font-size:.875rem}dt{white-space:nowrap}`;

/** Nothing but the style: what a request contained must not run. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // As the hosted pages, in whose frames it may be shown.
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** In characters. Browsers send some hundred. */
const LONGEST_HEADER = 1_024;

/**
 * Whether a person sees the answer: browsers ask for HTML when they open an address, and never for JSON. What scripts
 * and programs ask for is answered as JSON.
 */
export function isForPerson({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const types = accept.slice(0, LONGEST_HEADER).toLowerCase();
  return types.includes('text/html') && !types.includes('application/json');
}

/** A page that says what happened and where to go, in the language of the person, without a script. */
export function refusalPage(req: IncomingMessage, { status, code, message, requestId }: Refusal) {
  const language = languageOf(req);
  const texts: RefusalTexts = refusalTexts[language];
  const [title, next] = texts[kindOf(status)];
  // The operator's sentence is English. The code has a page that says more.
  const html = `<!doctype html>
<html lang="${language}" dir="${texts.dir}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${next}</p>
<p class="home"><a href="/" target="_top">${texts.home}</a></p>
<dl>
<dt>${texts.code}</dt><dd><a href="/errors/${encodeURIComponent(code)}" target="_top" lang="en" dir="ltr">${escapedHtml(code)}</a></dd>
<dt>${texts.requestId}</dt><dd dir="ltr">${escapedHtml(requestId)}</dd>
</dl>
<p lang="en" dir="ltr"><small>${escapedHtml(message)}</small></p>
</main>
</body>
</html>
`;
  return { headers: HEADERS, html };
}

function kindOf(status: number): 'missing' | 'refused' | 'busy' | 'failed' {
  if (status === 404 || status === 410) return 'missing';
  if (status === 429 || status === 503 || status === 507) return 'busy';
  return status >= 500 ? 'failed' : 'refused';
}

type Language = keyof typeof refusalTexts;

/** `lang` of the address, as the hosted pages have it, or else the first language of the browser that there is. */
function languageOf({ url = '', headers }: IncomingMessage): Language {
  const asked = /[?&]lang=([a-z]{2})\b/i.exec(url.slice(0, LONGEST_HEADER))?.[1] ?? '';
  const wanted = `${asked},${headers['accept-language']?.slice(0, LONGEST_HEADER) ?? ''}`.split(',');
  const tags = wanted.map((entry) => entry.trim().slice(0, 2).toLowerCase());
  return tags.find((tag): tag is Language => Object.hasOwn(refusalTexts, tag)) ?? 'en';
}
