import * as z from 'zod/mini';

/**
 * The HTTP answer to a refused request. `message` is for people, `code` for programs. Other servers of this wire send
 * no `code`, and `data` may have further fields.
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
