import * as z from 'zod/mini';

/** The state of an account's API secret. Times are ISO 8601, UTC. Everything is null while there is no secret. */
export const apiSecretState = z.looseObject({
  exists: z.boolean(),
  /** `sec_…`, as in the audit log. It reveals nothing of the value. */
  id: z.nullable(z.string()),
  createdOn: z.nullable(z.string()),
  /** To the minute. Null: never used. */
  lastUsedOn: z.nullable(z.string()),
  /** The address of that caller; of IPv6 the /64. */
  lastUsedFrom: z.nullable(z.string()),
});

export type ApiSecretState = z.infer<typeof apiSecretState>;

/** The answer to a create and to a refresh, the only ones with the value. */
export const apiSecretValue = z.looseObject({ id: z.string(), secret: z.string() });

export type ApiSecretValue = z.infer<typeof apiSecretValue>;
