import { createHash } from 'node:crypto';

/** What a Content-Security-Policy has to name for a page to run what is written into it. */
export interface InlineSourceHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The hashes of a page's inline scripts and styles (CSP 3, 2.3.1). For pages that our build wrote. */
export function inlineSourceHashes(html: string): InlineSourceHashes {
  const sources = (element: RegExp): string[] =>
    [...html.matchAll(element)].map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
  return {
    scripts: sources(/<script type="module">([^]*?)<\/script>/g),
    styles: sources(/<style>([^]*?)<\/style>/g),
  };
}
