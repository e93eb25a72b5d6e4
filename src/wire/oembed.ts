import * as z from 'zod/mini';
import { text } from './text.js';

/** The default size of the player, in CSS pixels. */
const WIDTH = 640;
const HEIGHT = 360;

/** Digits of a number of pixels. */
const pixels = z.coerce
  .number('must be a number of pixels')
  .check(z.int('must be a number of pixels'), z.gte(1, 'must be 1 or more'), z.lte(99_999, 'must be 99999 or less'));

/** The query of `GET /oembed` (oEmbed 1.0). */
export const oembedQuery = z.object({
  url: text.check(z.maxLength(2_000)),
  format: z.optional(z.literal('json', 'this server has JSON only: format=json')),
  maxwidth: z.optional(pixels),
  maxheight: z.optional(pixels),
});

/** The answer of oEmbed for a video. */
export const oembedVideo = z.object({
  version: z.literal('1.0'),
  type: z.literal('video'),
  title: z.string(),
  /** The name of the account, if its theme has one. */
  author_name: z.optional(z.string()),
  provider_name: z.string(),
  provider_url: z.string(),
  /** A frame with the hosted viewer, without a token. */
  html: z.string(),
  width: z.number(),
  height: z.number(),
  /** The present picture, while the stream is live and everybody may watch it. In pixels. */
  thumbnail_url: z.optional(z.string()),
  thumbnail_width: z.optional(z.number()),
  thumbnail_height: z.optional(z.number()),
  /** In seconds. */
  cache_age: z.optional(z.number()),
});

export type OembedQuery = z.infer<typeof oembedQuery>;

/** The largest player of 16 to 9 that fits, at most of the default size. */
export function playerSize({ maxwidth = WIDTH, maxheight = HEIGHT }: Pick<OembedQuery, 'maxwidth' | 'maxheight'>): {
  readonly width: number;
  readonly height: number;
} {
  const scale = Math.min(1, maxwidth / WIDTH, maxheight / HEIGHT);
  return { width: Math.max(1, Math.floor(WIDTH * scale)), height: Math.max(1, Math.floor(HEIGHT * scale)) };
}
