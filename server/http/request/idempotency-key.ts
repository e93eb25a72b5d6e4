import type { Request } from 'express';
import { InvalidRequestError } from '../../errors.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The key under which the caller may ask again for the same thing; undefined if he gave none.
 * @throws {InvalidRequestError} `invalid_request`
 */
export function idempotencyKey(req: Request): string | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined || KEY.test(key)) return key;
  throw new InvalidRequestError({ 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] });
}
