import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { originCure } from '../../../../src/pages/dashboard/refusals/origin-cure.js';
import type { RefusalBody } from '../../../../src/wire/management/refusal.js';

const refusal = (change: Partial<RefusalBody> = {}): RefusalBody => ({
  id: 1,
  time: '2026-07-01T12:00:00Z',
  kind: 'subscribe',
  tokenId: 7,
  streamName: 'main',
  namedAccount: null,
  origin: 'https://shop.example.com:8443',
  address: '192.0.2.1',
  reason: 'origin_not_allowed',
  ...change,
});

describe('the cure of a refused origin', () => {
  it('is the host of the page, for the token of the request', () =>
    assert.deepEqual(originCure(refusal()), { kind: 'subscribe', tokenId: 7, host: 'shop.example.com' }));

  for (const [what, change] of [
    ['another reason', { reason: 'token_expired' }],
    ['a request without a token', { tokenId: null }],
    ['a client without an origin', { origin: null }],
    ['the origin of a page in a sandbox', { origin: 'null' }],
    ['an origin without a host', { origin: 'data:,x' }],
  ] as const) {
    it(`does not exist for ${what}`, () => assert.equal(originCure(refusal(change)), undefined));
  }
});
