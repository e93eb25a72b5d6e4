import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bindingAddress, canonicalAddress } from '../../../server/addresses/ip-address.js';

const ODD = ['', '*', '127.1', '010.0.0.1', '0x7f.1', '2130706433', '1.2.3.4.5', '1.2.3.256', ' 1.2.3.4', '1.2.3.4:80'];
const ODD_V6 = ['[::1]', 'fe80::1%eth0', ':::', '1::2::3', '12345::', '::ffff:1.2.3.256', 'localhost', '１.2.3.4'];

describe('canonicalAddress', () => {
  for (const [text, canonical] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:201', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['::', '::'],
  ] as const) {
    it(`reads ${text} as ${canonical}`, () => assert.equal(canonicalAddress(text), canonical));
  }

  for (const text of [...ODD, ...ODD_V6]) {
    it(`does not read ${JSON.stringify(text)}`, () => assert.equal(canonicalAddress(text), undefined));
  }

  it('is stable, and writes equal addresses equally', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const canonical = canonicalAddress(text)!;
        assert.equal(canonicalAddress(canonical), canonical);
        assert.equal(canonicalAddress(text.toUpperCase()), canonical);
      }),
    );
    fc.assert(fc.property(fc.ipV4(), (text) => assert.equal(canonicalAddress(`::ffff:${text}`), text)));
  });
});

describe('bindingAddress', () => {
  it('returns an IPv4 address itself', () => assert.equal(bindingAddress('192.0.2.1'), '192.0.2.1'));

  it('returns the /64 of an IPv6 address', () => {
    assert.equal(bindingAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(bindingAddress('2001:db8:1:2::ffff'), '2001:db8:1:2::/64');
    assert.equal(bindingAddress('2001:db8:1:3::1'), '2001:db8:1:3::/64');
    assert.equal(bindingAddress('::1'), '::/64');
  });

  it('returns text that is no address unchanged', () => assert.equal(bindingAddress(''), ''));
});
