import * as z from 'zod/mini';

/**
 * How every HTTP answer says that a request was refused. `message` is for a person, `code` for a program. Other servers
 * of this wire send no `code`, and `data` may hold further fields.
 */
export const failEnvelope = z.object({
  status: z.literal('fail'),
  data: z.looseObject({ message: z.string(), code: z.optional(z.string()) }),
});

export type FailEnvelope = z.infer<typeof failEnvelope>;

export interface SuccessEnvelope<Data> {
  status: 'success';
  data: Data;
}
