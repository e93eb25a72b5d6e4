import * as z from 'zod/mini';
import type { SuccessEnvelope } from '../../src/wire/envelope.js';

/** The response body of success. `rest` holds fields beside `data`, such as those of paging. */
export function success<Data>(data: Data): SuccessEnvelope<Data>;
export function success<Data, Rest extends object>(data: Data, rest: Rest): SuccessEnvelope<Data> & Rest;
export function success<Data>(data: Data, rest?: object): SuccessEnvelope<Data> {
  return { ...rest, status: 'success', data };
}

/** The schema of `success(data)`. */
export const successOf = <Data extends z.ZodMiniType>(data: Data) => z.object({ status: z.literal('success'), data });
