import * as z from 'zod/mini';

/**
 * A refusal, as every HTTP answer of the service carries it. `message` is for a person, `code` for a program.
 * Other servers that speak this wire send no `code`, and `data` may hold further fields.
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
