import type { SuccessEnvelope } from '../../src/wire/envelope.js';

/** A yes, as every route gives it. `beside` stands next to `data`: paging, for one. */
export function success<Data>(data: Data): SuccessEnvelope<Data>;
export function success<Data, Beside extends object>(data: Data, beside: Beside): SuccessEnvelope<Data> & Beside;
export function success<Data>(data: Data, beside?: object): SuccessEnvelope<Data> {
  return { ...beside, status: 'success', data };
}
