import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ruleRefusalCode } from '../../../../src/wire/director/refusal-code.js';
import { cureChange, cureOf, type CureName } from '../../../../src/pages/dashboard/refusals/refusal-cure.js';
import type { RefusalBody } from '../../../../src/wire/management/refusal.js';
import { tokenBody } from '../../../support/token-body.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');

const refusal = (change: Partial<RefusalBody> = {}): RefusalBody => ({
  id: 1,
  time: '2026-07-01T12:00:00Z',
  kind: 'subscribe',
  tokenId: 7,
  tokenLabel: 'Guests',
  streamName: 'main',
  namedAccount: null,
  origin: 'https://shop.example.com:8443',
  address: '192.0.2.1',
  reason: 'origin_not_allowed',
  ...change,
});

describe('the cure of a refusal', () => {
  it('is a change of the token for each reason that lies in the token alone', () => {
    const found = ruleRefusalCode.options.flatMap((reason) => {
      const cure = cureOf(refusal({ reason }));
      return cure ? [[reason, cure.name, cure.value]] : [];
    });
    assert.deepEqual(found.toSorted(), [
      ['address_denied', 'unblock-address', '192.0.2.1'],
      ['address_not_allowed', 'allow-address', '192.0.2.1'],
      ['origin_not_allowed', 'allow-origin', 'shop.example.com'],
      ['stream_not_permitted', 'add-stream', 'main'],
      ['token_disabled', 'enable', undefined],
      ['token_expired', 'extend', undefined],
    ]);
  });

  it('is chosen among the addresses and streams of a group, which names none', () => {
    const { address: _address, streamName: _streamName, ...group } = refusal();
    for (const reason of ['address_denied', 'address_not_allowed', 'stream_not_permitted']) {
      assert.deepEqual([reason, cureOf({ ...group, reason })?.value], [reason, undefined]);
      assert.notEqual(cureOf({ ...group, reason }), undefined);
    }
  });

  for (const [what, change] of [
    ['a request without a token', { tokenId: null }],
    ['a client without an origin', { origin: null }],
    ['the origin of a page in a sandbox', { origin: 'null' }],
    ['an origin without a host', { origin: 'data:,x' }],
    ['an unknown address', { reason: 'address_denied', address: null }],
  ] as const) {
    it(`does not exist for ${what}`, () => assert.equal(cureOf(refusal(change)), undefined));
  }
});

describe('the change that cures', () => {
  const token = tokenBody({
    id: 7,
    streams: [{ streamName: 'other', isRegex: false }],
    allowedOrigins: ['example.com'],
    allowedIpAddresses: ['198.51.100.0/24'],
    deniedIpAddresses: ['192.0.2.1', '203.0.113.0/24'],
    expiresOn: '2029-12-31T00:00:00.000Z',
    isActive: false,
  });
  const change = (name: CureName, value?: string) => cureChange({ name, value }, token, NOW);

  it('keeps what the token has', () => {
    for (const [name, value, fields] of [
      ['allow-origin', 'shop.example.com', { allowedOrigins: ['example.com', 'shop.example.com'] }],
      ['allow-address', '192.0.2.9', { allowedIpAddresses: ['198.51.100.0/24', '192.0.2.9'] }],
      ['unblock-address', '192.0.2.1', { deniedIpAddresses: ['203.0.113.0/24'] }],
      ['add-stream', 'main', { addTokenStreams: [{ streamName: 'main' }] }],
      ['extend', '7', { expires: 604_800 }],
      ['extend', 'never', { expires: null }],
      ['enable', undefined, { isActive: true }],
    ] as const) {
      assert.deepEqual(change(name, value), { outcome: 'change', fields });
    }
  });

  it('is none if the token permits it already, so a token that was signed with it is what refuses', () => {
    const open = tokenBody({ ...token, expiresOn: '2030-01-02T00:00:00.000Z', isActive: true, deniedIpAddresses: [] });
    for (const [name, value] of [
      ['allow-origin', 'example.com'],
      ['allow-address', '198.51.100.0/24'],
      ['unblock-address', '192.0.2.1'],
      ['add-stream', 'other'],
      ['extend', '1'],
      ['enable', undefined],
    ] as const) {
      assert.deepEqual(cureChange({ name, value }, open, NOW), { outcome: 'already' });
    }
  });

  it('does not guess which range blocks an address', () =>
    assert.deepEqual(change('unblock-address', '203.0.113.7'), { outcome: 'in-range' }));
});
