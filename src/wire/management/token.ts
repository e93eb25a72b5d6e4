import * as z from 'zod/mini';
import { label, name, streamName } from '../text.js';
import { pageAnswer, paging } from './paging.js';
import { retentionDays } from './recording.js';
import { maxSessions, sessionLimit, whenFull } from './session-limit.js';
import { listOrNull, withPlainNames, restrictions, revisedRestrictions, spellingsAgree } from './token-restrictions.js';
import {
  unsupported,
  unsupportedInUpdate,
  unsupportedPublishing,
  unsupportedPublishingInUpdate,
  unsupportedTracking,
} from './unsupported-field.js';

/** The streams of a token: one exact name, or every name that the pattern matches as a whole. */
export const streamRule = z.strictObject({
  streamName,
  isRegex: z._default(z.boolean(), false),
});

export const MAX_STREAMS = 1_000;

const tokenLabel = label(128);
const streams = z.array(streamRule).check(z.maxLength(MAX_STREAMS));
/** The name of a stream to remove. The service's REST client for Node has the whole rule for it. */
const removedStream = z.pipe(
  z.union([streamName, streamRule], 'must be the name of a stream, or { streamName }'),
  z.transform((removed) => (typeof removed === 'string' ? removed : removed.streamName)),
);
/** Null is what existing clients send for false. */
const record = z.optional(z.nullable(z.boolean()));
/** Days until a recording is deleted. Null: as the account has it. */
const recordingRetentionDays = z.optional(z.nullable(retentionDays));
/** Seconds from now, 1 to 2147483647. Null: never. */
const expires = z.nullable(z.int().check(z.gte(1), z.lte(2_147_483_647)));

// Fields that an update shares have no defaults, because an update must not change absent fields.
const creatable = {
  label: z._default(tokenLabel, ''),
  streams: z._default(listOrNull(streams), []),
  expires: z.optional(expires),
  ...restrictions,
  ...unsupported,
};

const updatable = {
  label: z.optional(tokenLabel),
  addTokenStreams: z.optional(listOrNull(streams)),
  removeTokenStreams: z.optional(listOrNull(z.array(removedStream).check(z.maxLength(MAX_STREAMS)))),
  streams: z.optional(streams),
  isActive: z.optional(z.boolean()),
  refreshToken: z.optional(z.boolean()),
  expires: z.optional(expires),
  ...revisedRestrictions,
  ...unsupportedInUpdate,
};

/** Checks of an update as a whole. */
const updateChecks = [
  z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'),
  z.refine<StreamsChange>(
    ({ streams, addTokenStreams, removeTokenStreams }) => !streams || (!addTokenStreams && !removeTokenStreams),
    'streams replaces the list: it cannot be sent with addTokenStreams or removeTokenStreams',
  ),
  spellingsAgree,
] as const;

interface StreamsChange {
  streams?: unknown;
  addTokenStreams?: unknown;
  removeTokenStreams?: unknown;
}

export const createSubscribeToken = z.strictObject({ ...creatable, ...sessionLimit, ...unsupportedTracking });
export const updateSubscribeToken = z.pipe(
  z.strictObject({ ...updatable, ...sessionLimit }).check(...updateChecks),
  z.transform(withPlainNames),
);

export const createPublishToken = z.strictObject({
  ...creatable,
  subscribeRequiresAuth: z._default(z.boolean(), false),
  record,
  recordingRetentionDays,
  ...unsupportedPublishing,
});
export const updatePublishToken = z.pipe(
  z
    .strictObject({
      ...updatable,
      subscribeRequiresAuth: z.optional(z.boolean()),
      record,
      recordingRetentionDays,
      ...unsupportedPublishingInUpdate,
    })
    .check(...updateChecks),
  z.transform(withPlainNames),
);

export type StreamRule = z.infer<typeof streamRule>;
export type CreateSubscribeToken = z.infer<typeof createSubscribeToken>;
export type UpdateSubscribeToken = z.infer<typeof updateSubscribeToken>;
export type CreatePublishToken = z.infer<typeof createPublishToken>;
export type UpdatePublishToken = z.infer<typeof updatePublishToken>;

// The input types, in which fields with a default may be absent.
export type CreateSubscribeTokenInput = z.input<typeof createSubscribeToken>;
export type UpdateSubscribeTokenInput = z.input<typeof updateSubscribeToken>;
export type CreatePublishTokenInput = z.input<typeof createPublishToken>;
export type UpdatePublishTokenInput = z.input<typeof updatePublishToken>;

/** A token in an answer of the server. `id`, `label`, `token` and `record` repeat the four capitalised fields. */
export const tokenRecord = z.looseObject({
  Id: z.number(),
  Label: z.string(),
  Token: z.string(),
  /** Whether what is published with the token is recorded. Only publish tokens have this field and the two after it. */
  Record: z.optional(z.boolean()),
  /** Days until a recording is deleted. Null: as the account has it. */
  recordingRetentionDays: z.optional(z.nullable(z.number())),
  subscribeRequiresAuth: z.optional(z.boolean()),
  addedOn: z.string(),
  expiresOn: z.nullable(z.string()),
  isActive: z.boolean(),
  streams: z.array(streamRule),
  /** In canonical form. Empty: every origin. */
  allowedOrigins: z.array(z.string()),
  /** The configured addresses or, with `bindIpsOnUsage`, the addresses that are bound so far. Empty: every address. */
  allowedIpAddresses: z.array(z.string()),
  /** In canonical form. Empty: none. */
  deniedIpAddresses: z.array(z.string()),
  /** Countries as ISO 3166-1 codes. Empty: every country. */
  allowedCountries: z.array(z.string()),
  deniedCountries: z.array(z.string()),
  /** Number of addresses that are bound on first use. 0: off. */
  bindIpsOnUsage: z.number(),
  /** The bound addresses, the oldest first. */
  boundIps: z.array(z.object({ address: z.string(), boundOn: z.string() })),
  /** Only subscribe tokens have this field and `whenFull`. How many may watch with the token at once. 0: any number. */
  maxSessions: z.optional(maxSessions),
  whenFull: z.optional(whenFull),
  id: z.number(),
  label: z.string(),
  token: z.string(),
  record: z.optional(z.boolean()),
  /** What is stored cannot be read: `stored_row_unreadable`. The token admits nobody, and can only be deleted. */
  fault: z.optional(z.looseObject({ code: z.string(), message: z.string() })),
});

export type TokenBody = z.infer<typeof tokenRecord>;

/** The id of a token in a path: a whole number, from 1 to 2^53 - 1. */
export const tokenId = z.pipe(
  z.string().check(z.regex(/^\d{1,16}$/, 'must be a whole number')),
  z.pipe(
    z.transform((digits: string) => Number(digits)),
    z.int().check(z.gte(1)),
  ),
);

const tokenOrder = z.strictObject({
  ...paging,
  sortBy: z._default(z.enum(['Name', 'AddedOn', 'ExpiresOn']), 'Name'),
  isDescending: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false),
});

/** The first reason for which the rules would refuse a token. Active: there is none. */
export const tokenState = z.enum(['active', 'disabled', 'expired']);

export type TokenState = z.infer<typeof tokenState>;

/**
 * The query of a list. Pages count from 1; a page after the last one is empty. `search` is any part of the label or of a
 * stream name, in any letter case, or the first digits of the id.
 */
export const tokenListQuery = z.extend(tokenOrder, {
  search: z.optional(label(128)),
  state: z.optional(tokenState),
});

export type TokenListQuery = z.infer<typeof tokenListQuery>;

/** The answer of a list. `total` counts the tokens of all pages. */
export const tokenList = z.object({
  status: z.literal('success'),
  data: z.array(tokenRecord),
  ...pageAnswer,
});

export type TokenList = z.infer<typeof tokenList>;

/**
 * The query of a list by name: tokens with exactly this label, or for exactly this stream. Patterns are not matched.
 * `filterBy=None` lists every token.
 */
export const tokenNameQuery = z.extend(tokenOrder, {
  name: name(128),
  filterBy: z._default(z.enum(['None', 'TokenName', 'StreamName', 'TokenOrStreamName']), 'TokenOrStreamName'),
});

export type TokenNameQuery = z.infer<typeof tokenNameQuery>;
