import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;

/** Random bytes for the next ids. To ask for the bytes of each alone takes several times as long. */
const pool = Buffer.alloc(128 * ID_BYTES);
let used = pool.length;

/** A session id that nobody can guess: 32 hex digits. */
export function newSessionId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString('hex', used - ID_BYTES, used);
}
