import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NameLookup } from '../../../server/outbound/name-lookup.js';
import { AddressRefusedError, TargetAddresses } from '../../../server/outbound/target-addresses.js';

const lookupTo =
  (...addresses: string[]): NameLookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const SIGNAL = new AbortController().signal;

/** Of our machine, our networks, or a way to them. */
const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
];

describe('the addresses of receivers', () => {
  for (const address of NOT_PUBLIC) {
    it(`never include ${address}, as it is or behind a name`, async () => {
      const addresses = new TargetAddresses([], lookupTo(address));
      const host = address.includes(':') ? `[${address}]` : address;
      assert.equal(addresses.refuses(host), true);
      await assert.rejects(addresses.of(host, SIGNAL), AddressRefusedError);
      await assert.rejects(addresses.of('receiver.example', SIGNAL), AddressRefusedError);
    });
  }

  it('refuses localhost before it is looked up', () => {
    for (const host of ['localhost', 'a.localhost', 'LOCALHOST.'])
      assert.equal(new TargetAddresses([]).refuses(host), true, host);
    assert.equal(new TargetAddresses(['127.0.0.1']).refuses('localhost'), false);
  });

  it('are those of the answer that are public', async () => {
    const addresses = new TargetAddresses([], lookupTo('10.0.0.1', '8.8.8.8', '2606:4700::1', '::1'));
    assert.deepEqual(await addresses.of('receiver.example', SIGNAL), [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    assert.deepEqual(await addresses.of('[2606:4700::1]', SIGNAL), [{ address: '2606:4700::1', family: 6 }]);
  });

  it('include networks that the operator allows, and no others', async () => {
    const addresses = new TargetAddresses(['10.20.0.0/16', '127.0.0.1'], lookupTo('10.20.3.4', '10.21.0.1'));
    assert.deepEqual(await addresses.of('receiver.example', SIGNAL), [{ address: '10.20.3.4', family: 4 }]);
    assert.equal(addresses.refuses('127.0.0.1'), false);
    assert.equal(addresses.refuses('127.0.0.2'), true);
  });
});
