import * as z from 'zod/mini';
import { name } from '../text.js';
import { pageAnswer, paging } from './paging.js';

/** What a key may do. `everything` includes the account itself, such as other keys. */
export const apiKeyScope = z.enum(['read', 'tokens', 'streams', 'recordings', 'everything']);

export type ApiKeyScope = z.infer<typeof apiKeyScope>;

/** The public id of a key, for example in the audit log. It reveals nothing of the value. */
export const apiKeyId = z.string().check(z.regex(/^key_[0-9a-f]{12}$/, 'must be key_ and 12 hex digits'));

const keyName = name(128);
const scopes = z.array(apiKeyScope).check(
  z.minLength(1),
  z.maxLength(apiKeyScope.options.length),
  z.refine<ApiKeyScope[]>((list) => new Set(list).size === list.length, 'must not name a scope twice'),
);
/** Seconds from now, 1 to 2147483647. Null: never. */
const expires = z.nullable(z.int().check(z.gte(1), z.lte(2_147_483_647)));

export const createApiKey = z.strictObject({ name: keyName, scopes, expires: z.optional(expires) });

/** Absent fields stay as they are. */
export const updateApiKey = z
  .strictObject({ name: z.optional(keyName), scopes: z.optional(scopes), expires: z.optional(expires) })
  .check(z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'));

/** `oldValueExpires`: for how many seconds the old value stays valid, up to 30 days. 0: it dies at once. */
export const rotateApiKey = z.strictObject({
  oldValueExpires: z._default(z.int().check(z.gte(0), z.lte(2_592_000)), 86_400),
});

export type CreateApiKey = z.infer<typeof createApiKey>;
export type UpdateApiKey = z.infer<typeof updateApiKey>;
export type RotateApiKeyInput = z.input<typeof rotateApiKey>;

export const apiKeyListQuery = z.strictObject(paging);

export type ApiKeyListQuery = z.infer<typeof apiKeyListQuery>;

/** A key in an answer. Times are ISO 8601, UTC. */
export const apiKeyBody = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** `apiKeyScope`. A later server may send other values. */
  scopes: z.array(z.string()),
  createdOn: z.string(),
  /** Null: never. */
  expiresOn: z.nullable(z.string()),
  /** To the minute. Null: never used. */
  lastUsedOn: z.nullable(z.string()),
  /** The address of that caller; of IPv6 the /64. */
  lastUsedFrom: z.nullable(z.string()),
  /** After a rotation: how long the old value stays valid. Null: only one value is valid. */
  oldValueExpiresOn: z.nullable(z.string()),
  /** Null: not revoked. */
  revokedOn: z.nullable(z.string()),
  /** What is stored cannot be read: `stored_row_unreadable`. The key opens nothing, and can only be revoked. */
  fault: z.optional(z.nullable(z.looseObject({ code: z.string(), message: z.string() }))),
});

export type ApiKeyBody = z.infer<typeof apiKeyBody>;

/** The answer to a create and to a rotation, the only ones with the value. */
export const apiKeyWithValue = z.extend(apiKeyBody, { value: z.string() });

export type ApiKeyWithValue = z.infer<typeof apiKeyWithValue>;

/** The newest key first. */
export const apiKeyList = z.object({ status: z.literal('success'), data: z.array(apiKeyBody), ...pageAnswer });
