import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress } from '../../../server/addresses/ip-address.js';
import { isPublicAddress } from '../../../server/addresses/public-address.js';

const isPublic = (text: string) => isPublicAddress(canonicalAddress(text)!);

describe('a public address', () => {
  for (const address of ['1.1.1.1', '203.0.114.1', '2606:4700::1111', '2a00:1450:4001::200e', '2003::1', '3ffe::1']) {
    it(`is ${address}`, () => assert.equal(isPublic(address), true));
  }

  for (const [what, ...addresses] of [
    ['this machine', '127.0.0.1', '::1', '::', '0.0.0.0', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:0:127.0.0.1'],
    ['a network of its own', '10.0.0.1', '192.168.1.1', '172.16.0.1', 'fd00::1', 'fc00::1', 'fe80::1', 'fec0::1'],
    ['IPv4 inside IPv6', '::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
    ['no single machine', '224.0.0.1', '255.255.255.255', 'ff02::1', '100::1', '5f00::1'],
    ['a protocol or a document', '192.0.2.1', '198.18.0.1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:20::1'],
    ['a carrier', '100.64.0.1'],
  ] as const) {
    for (const address of addresses) {
      it(`is not that of ${what}: ${address}`, () => assert.equal(isPublic(address), false));
    }
  }

  it('is of the addresses of IPv6 only one of 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const address = canonicalAddress(text)!;
        if (!address.includes(':') || !isPublicAddress(address)) return;
        assert.match(address, /^[23][0-9a-f]{3}:/);
      }),
    );
  });

  it('is not IPv4-compatible, as a resolver writes it', () => assert.equal(isPublicAddress('::203.0.114.1'), false));

  it('is no text that is no address', () => assert.equal(isPublicAddress('example.com'), false));
});
