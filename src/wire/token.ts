import * as z from 'zod/mini';
import { streamName } from './stream-name.js';

/** Which streams a token is for: one exact name, or every name that the pattern matches from end to end. */
export const streamRule = z.strictObject({
  streamName,
  isRegex: z._default(z.boolean(), false),
});

const label = z.string().check(z.maxLength(128));
const streams = z.array(streamRule).check(z.maxLength(1000));
/** Seconds from now, 1 to 2147483647. */
const expires = z.int().check(z.gte(1), z.lte(2_147_483_647));

// No defaults in what an update shares: there, "left out" must not become "set back to the default".
const creatable = {
  label: z._default(label, ''),
  streams: z._default(streams, []),
  expires: z.optional(expires),
};

const updatable = {
  label: z.optional(label),
  addTokenStreams: z.optional(streams),
  removeTokenStreams: z.optional(z.array(streamName).check(z.maxLength(1000))),
  streams: z.optional(streams),
  isActive: z.optional(z.boolean()),
  refreshToken: z.optional(z.boolean()),
  expires: z.optional(expires),
};

export const createSubscribeToken = z.strictObject(creatable);
export const updateSubscribeToken = z.strictObject(updatable);

export const createPublishToken = z.strictObject({
  ...creatable,
  subscribeRequiresAuth: z._default(z.boolean(), false),
});
export const updatePublishToken = z.strictObject({
  ...updatable,
  subscribeRequiresAuth: z.optional(z.boolean()),
});

export type StreamRule = z.infer<typeof streamRule>;
export type CreateSubscribeToken = z.infer<typeof createSubscribeToken>;
export type UpdateSubscribeToken = z.infer<typeof updateSubscribeToken>;
export type CreatePublishToken = z.infer<typeof createPublishToken>;
export type UpdatePublishToken = z.infer<typeof updatePublishToken>;

/** A token as the service answers it. `id`, `label`, `token` and `record` repeat the four capitalised fields. */
export const tokenRecord = z.looseObject({
  Id: z.number(),
  Label: z.string(),
  Token: z.string(),
  /** Publish tokens only, as is `subscribeRequiresAuth`. */
  Record: z.optional(z.boolean()),
  subscribeRequiresAuth: z.optional(z.boolean()),
  addedOn: z.string(),
  expiresOn: z.nullable(z.string()),
  isActive: z.boolean(),
  streams: z.array(streamRule),
  id: z.number(),
  label: z.string(),
  token: z.string(),
  record: z.optional(z.boolean()),
});

export type TokenBody = z.infer<typeof tokenRecord>;

/** The query of a list: whole numbers arrive as text. */
export const tokenListQuery = z.strictObject({
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1),
  itemsOnPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 100),
  sortBy: z._default(z.enum(['Name', 'AddedOn']), 'Name'),
  isDescending: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'] }), false),
});

export type TokenListQuery = z.infer<typeof tokenListQuery>;
