import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addressMatcher,
  canonicalAddressRange,
  denialMatcher,
  InvalidAddressRangeError,
} from '../../../server/addresses/ip-ranges.js';
import { anyCharacter } from '../../support/any-character.js';

const ODD = ['', '*', '127.1', '010.0.0.1', '0x7f.1', '2130706433', '1.2.3.4.5', '1.2.3.256', ' 1.2.3.4', '1.2.3.4:80'];
const ODD_V6 = ['[::1]', 'fe80::1%eth0', ':::', '1::2::3', '12345::', '::ffff:1.2.3.256', 'localhost', '１.2.3.4'];

describe('canonicalAddressRange', () => {
  for (const [text, canonical] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
  ] as const) {
    it(`writes ${text} as ${canonical}`, () => assert.equal(canonicalAddressRange(text), canonical));
  }

  const prefixes = ['/', '/33', '/-1', '/08', '/1e1', '/8.0', '/8/8', '/ 8', '/255.0.0.0'].map(
    (bits) => `10.0.0.0${bits}`,
  );
  for (const text of [
    ...ODD,
    ...ODD_V6,
    ...prefixes,
    '::/129',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0/64',
    '10.0.0/8',
    '/8',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => canonicalAddressRange(text), InvalidAddressRangeError));
  }

  it('accepts or refuses any text, and is stable', () => {
    const piece = fc.constantFrom('1', '255', '256', '.', ':', '::', '/', '8', '32', 'ffff', 'g', '%', '0x1', ' ');
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 50 }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (text) => {
        try {
          const canonical = canonicalAddressRange(text);
          assert.equal(canonicalAddressRange(canonical), canonical);
        } catch (error) {
          assert.ok(error instanceof InvalidAddressRangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('addressMatcher', () => {
  it('permits every address with an empty list, including an unknown one', () =>
    assert.deepEqual(['192.0.2.1', '2001:db8::1', ''].map(addressMatcher([])), [true, true, true]));

  it('permits the addresses and the ranges on the list', () => {
    const permits = addressMatcher(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']);
    for (const yes of ['192.0.2.1', '10.0.0.0', '10.255.255.255', '2001:db8::1', '2001:db8:ffff::', '::1']) {
      assert.ok(permits(yes), yes);
    }
    for (const no of ['192.0.2.2', '11.0.0.0', '9.255.255.255', '2001:db9::', '::2']) assert.ok(!permits(no), no);
  });

  it('never permits text that is no address', () => {
    const permits = addressMatcher(['0.0.0.0/0', '::/0', '192.0.2.1']);
    for (const text of ['', 'garbage', '192.0.2', ':', '999.0.0.1']) assert.equal(permits(text), false);
  });

  it('does not apply a range of one family to the other', () => {
    assert.equal(addressMatcher(['::/0'])('192.0.2.1'), false);
    assert.equal(addressMatcher(['0.0.0.0/0'])('2001:db8::1'), false);
  });

  it('agrees with integer arithmetic', () => {
    const number = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const range = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
    const near = fc.tuple(range, fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }));
    fc.assert(
      fc.property(near, ([[network, prefix], bits, kept]) => {
        // The address shares its first `kept` bits with the network, so that both results occur.
        const size = 2 ** (32 - kept);
        const value = Math.floor(number(network) / size) * size + (bits % size);
        const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
        const inside = Math.floor(value / 2 ** (32 - prefix)) === Math.floor(number(network) / 2 ** (32 - prefix));
        assert.equal(addressMatcher([canonicalAddressRange(`${network}/${prefix}`)])(address), inside);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('denialMatcher', () => {
  it('denies nobody by an empty list', () => {
    for (const address of ['192.0.2.1', '::1', '']) assert.equal(denialMatcher([])(address), false);
  });

  it('denies the addresses and ranges of its list', () => {
    const denies = denialMatcher(['192.0.2.1', '2001:db8:1:2::/64']);
    const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8:1:2::9', '2001:db8:1:3::9'];
    assert.deepEqual(addresses.map(denies), [true, false, true, false]);
  });

  it('denies an unknown address, which may be one of the list', () => {
    assert.deepEqual(['', 'garbage'].map(denialMatcher(['192.0.2.1'])), [true, true]);
    assert.deepEqual(['', 'garbage'].map(denialMatcher(['192.0.2.0/24'])), [true, true]);
  });
});
