import type { Request, Response } from 'express';

interface PageQuery {
  readonly page: number;
  readonly itemsOnPage: number;
}

/**
 * Names the next page of a numbered list in the header Link, unless this page is the last one. A table in CSV has no
 * other place for it.
 * @param total number of items on all pages
 */
export function linkNextPage(req: Request, res: Response, query: PageQuery, total: number): void {
  const { page, itemsOnPage } = query;
  if (page * itemsOnPage >= total) return;
  const parameters = Object.entries(query).flatMap(([name, value]: [string, unknown]): [string, string][] =>
    value === undefined ? [] : [[name, String(name === 'page' ? page + 1 : value)]],
  );
  res.set('link', `<${req.path}?${new URLSearchParams(parameters)}>; rel="next"`);
}
