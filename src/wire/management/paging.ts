import * as z from 'zod/mini';

const wholeNumber = (most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.int().check(z.gte(1), z.lte(most)),
    ),
  );

/** The query that selects a page of a list. Pages count from 1; a page after the last one is empty. */
export const paging = {
  page: z._default(wholeNumber(1_000_000), 1),
  itemsOnPage: z._default(wholeNumber(100), 100),
};

/** The fields beside the `data` of a list. `total` counts the items of all pages. */
export const pageAnswer = { total: z.int(), page: z.int(), itemsOnPage: z.int() };
