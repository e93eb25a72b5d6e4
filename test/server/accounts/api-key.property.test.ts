import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ApiKey,
  apiKeyState,
  changedApiKey,
  revokedApiKey,
  rotatedApiKey,
} from '../../../server/accounts/api-key.js';
import { PERMISSIONS, permissionsOfScopes } from '../../../server/accounts/permission.js';
import { ConflictError } from '../../../server/errors.js';

const time = fc.integer({ min: 0, max: 1000 });
const hash = fc.constantFrom('a', 'b', 'c', 'd');
const scopes = fc.subarray(['read', 'tokens', 'streams', 'recordings', 'everything'] as const);

const key: fc.Arbitrary<ApiKey> = fc.record({
  id: fc.constant('key'),
  accountId: fc.constant('account'),
  name: fc.string(),
  valueHash: hash,
  oldValue: fc.option(fc.record({ hash, expiresOn: time })),
  scopes,
  createdOn: fc.constant(0),
  expiresOn: fc.option(time),
  lastUse: fc.constant(null),
  revokedOn: fc.option(time),
});
const usableKey = key.map((each): ApiKey => ({ ...each, revokedOn: null }));
const endlessKey = usableKey.map((each): ApiKey => ({ ...each, expiresOn: null }));

describe('the rules of named keys', () => {
  it('never accept a value that is neither the value nor the old value', () => {
    fc.assert(fc.property(key, time, (each, now) => apiKeyState(each, 'unknown', now) !== 'valid'));
  });

  it('never accept again, at a later time, a value that was refused', () => {
    fc.assert(
      fc.property(key, hash, time, time, (each, value, now, later) => {
        fc.pre(apiKeyState(each, value, now) !== 'valid');
        assert.notEqual(apiKeyState(each, value, now + later), 'valid');
      }),
    );
  });

  it('accept no value at or after the expiry of the key', () => {
    fc.assert(
      fc.property(usableKey, hash, time, time, (each, value, expiresOn, later) => {
        assert.equal(apiKeyState({ ...each, expiresOn }, value, expiresOn + later), 'key_expired');
      }),
    );
  });

  it('accept the new value after a rotation, and the one before it until its time', () => {
    fc.assert(
      fc.property(endlessKey, time, time, time, (each, now, oldValueExpiresOn, then) => {
        const rotated = rotatedApiKey(each, 'new', oldValueExpiresOn, now);
        assert.equal(apiKeyState(rotated, 'new', now + then), 'valid');
        const expected = now + then < oldValueExpiresOn ? 'valid' : 'key_expired';
        assert.equal(apiKeyState(rotated, each.valueHash, now + then), expected);
      }),
    );
  });

  it('accept at most two values, however often a key is rotated', () => {
    fc.assert(
      fc.property(endlessKey, fc.array(time, { maxLength: 6 }), time, (each, overlaps, now) => {
        const rotated = overlaps.reduce(
          (last, overlap, index) => rotatedApiKey(last, `new ${index}`, overlap, now),
          each,
        );
        const values = ['a', 'b', 'c', 'd', ...overlaps.map((_, index) => `new ${index}`)];
        assert.ok(values.filter((value) => apiKeyState(rotated, value, now) === 'valid').length <= 2);
      }),
    );
  });

  it('refuse every value of a revoked key at any time, and every change of it', () => {
    fc.assert(
      fc.property(key, hash, time, time, (each, value, now, then) => {
        const revoked = revokedApiKey(each, now);
        assert.equal(apiKeyState(revoked, value, then), 'key_revoked');
        assert.deepEqual(revokedApiKey(revoked, then), revoked);
        assert.throws(() => changedApiKey(revoked, { expires: null }, then), ConflictError);
        assert.throws(() => rotatedApiKey(revoked, 'new', now, then), ConflictError);
      }),
    );
  });

  it('give a key exactly the permissions of its scopes together', () => {
    fc.assert(
      fc.property(scopes, scopes, (some, others) => {
        const together = permissionsOfScopes([...some, ...others]);
        assert.deepEqual(together, new Set([...permissionsOfScopes(some), ...permissionsOfScopes(others)]));
      }),
    );
  });

  it('give the account only to a key with the scope `everything`', () => {
    fc.assert(
      fc.property(scopes, (some) => {
        const permissions = permissionsOfScopes(some);
        assert.equal(permissions.has('account'), some.includes('everything'));
        assert.ok(!some.includes('everything') || permissions.size === PERMISSIONS.length);
      }),
    );
  });
});
