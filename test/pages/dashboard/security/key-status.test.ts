import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyStatus } from '../../../../src/pages/dashboard/security/key-status.js';
import type { ApiKeyBody } from '../../../../src/wire/management/api-key.js';

const now = Date.parse('2026-07-01T12:00:00Z');
const key = (change: Partial<ApiKeyBody> = {}): ApiKeyBody => ({
  id: 'key_000000000000',
  name: 'nightly',
  scopes: ['read'],
  createdOn: '2026-01-01T00:00:00Z',
  expiresOn: null,
  lastUsedOn: null,
  lastUsedFrom: null,
  oldValueExpiresOn: null,
  revokedOn: null,
  ...change,
});

describe('a key on the security page', () => {
  it('is active without an end', () => assert.equal(keyStatus(key(), now), 'active'));
  it('is active until its end', () =>
    assert.equal(keyStatus(key({ expiresOn: '2026-07-01T12:00:01Z' }), now), 'active'));
  it('is expired from its end on', () =>
    assert.equal(keyStatus(key({ expiresOn: '2026-07-01T12:00:00Z' }), now), 'expired'));
  it('is unreadable, until it is revoked', () => {
    const fault = { code: 'stored_row_unreadable', message: 'revoke it' };
    assert.equal(keyStatus(key({ fault }), now), 'unreadable');
    assert.equal(keyStatus(key({ fault, revokedOn: '2026-01-03T00:00:00Z' }), now), 'revoked');
  });

  it('is revoked, even if it expired too', () =>
    assert.equal(
      keyStatus(key({ expiresOn: '2026-01-02T00:00:00Z', revokedOn: '2026-01-03T00:00:00Z' }), now),
      'revoked',
    ));
});
