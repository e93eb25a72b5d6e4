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
    ['::203.0.113.7', '::cb00:7107'],
    ['0:0:0:0:0:0:203.0.113.7', '::cb00:7107'],
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
    ['::ffff:0:203.0.113.7', '::ffff:0:cb00:7107'],
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

/** IPv6 with its last 32 bits as IPv4, in every spelling. */
const withDots = fc
  .tuple(
    fc.array(fc.constantFrom('0', '0000', 'ffff', 'FFFF', '1', '64', 'ff9b'), { minLength: 6, maxLength: 6 }),
    fc.ipV4(),
    fc.nat(5),
    fc.nat(6),
  )
  .map(([groups, ipv4, start, length]) => {
    const isZero = groups.slice(start, start + length).every((group) => Number(group) === 0);
    if (!isZero || length === 0) return `${groups.join(':')}:${ipv4}`;
    return `${groups.slice(0, start).join(':')}::${[...groups.slice(start + length), ipv4].join(':')}`;
  });

it('is IPv4 only for ::ffff:0:0/96, however IPv6 is written', () => {
  fc.assert(
    fc.property(withDots, (text) => {
      // As the URL standard reads it.
      const expected = new URL(`http://[${text}]`).hostname.slice(1, -1);
      const isMapped = /^::ffff:[\da-f]+:[\da-f]+$/.test(expected);
      assert.equal(canonicalAddress(text), isMapped ? text.slice(text.lastIndexOf(':') + 1) : expected);
    }),
    { numRuns: 2_000 },
  );
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
