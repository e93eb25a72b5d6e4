import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  HashingBusyError,
  PASSWORD_COST,
  PasswordHasher,
} from '../../../../server/accounts/passwords/password-hash.js';

/** Little work, so that the test is fast. */
const CHEAP = { N: 2 ** 4, r: 8, p: 1 };

describe('the hash of a password', () => {
  it('is of scrypt with N=2^17, r=8 and p=1, with its parameters and a salt of its own', async () => {
    const hasher = new PasswordHasher();
    assert.deepEqual(PASSWORD_COST, { N: 131_072, r: 8, p: 1 });
    assert.match(await hasher.hash('correct horse battery'), /^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    const cheap = new PasswordHasher(CHEAP);
    assert.notEqual(await cheap.hash('correct horse battery'), await cheap.hash('correct horse battery'));
  });

  it('is of this password only, in each way to write its letters', async () => {
    const hasher = new PasswordHasher(CHEAP);
    const stored = await hasher.hash('crème brûlée');
    assert.equal(await hasher.verify('crème brûlée'.normalize('NFD'), stored), true);
    for (const wrong of ['creme brulee', 'crème brûlé', '', 'Crème brûlée']) {
      assert.equal(await hasher.verify(wrong, stored), false, wrong);
    }
  });

  it('is verified with the cost that it was made with', async () => {
    const stored = await new PasswordHasher(CHEAP).hash('correct horse battery');
    assert.equal(await new PasswordHasher({ N: 2 ** 5, r: 8, p: 1 }).verify('correct horse battery', stored), true);
  });

  it('can be a decoy that no password has', async () => {
    const hasher = new PasswordHasher(CHEAP);
    assert.match(hasher.decoy(), /^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    assert.equal(await hasher.verify('', hasher.decoy()), false);
  });

  it('is refused when too many wait, and made again afterwards', async () => {
    const hasher = new PasswordHasher(CHEAP);
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash('correct horse battery')));
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.equal(failed.length, 12);
    assert.ok(failed.every((error) => error instanceof HashingBusyError));
    assert.ok(await hasher.hash('correct horse battery'));
  });

  it('is made for others while one network asks for many', async () => {
    const hasher = new PasswordHasher(CHEAP);
    const stored = await hasher.hash('correct horse battery');
    const ask = (from: string) => hasher.verify('correct horse battery', stored, from);
    const flood = Array.from({ length: 30 }, (_, index) => ask(`192.0.2.${index}`));
    const [own, ...rest] = await Promise.allSettled([ask('198.51.100.1'), ...flood]);
    assert.deepEqual(own, { status: 'fulfilled', value: true });
    assert.equal(rest.filter(({ status }) => status === 'rejected').length, 13);
  });
});
