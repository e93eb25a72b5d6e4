import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenPacker } from '../../../server/tokens/packed-token.js';
import type { TokenRecord } from '../../../server/tokens/token-record.js';
import { aTokenRecord } from '../../support/token.js';

/** A value of each field that is not the usual one. */
const UNUSUAL: TokenRecord = aTokenRecord({
  id: 7,
  accountId: 'other',
  kind: 'publish',
  token: 'cd'.repeat(32),
  label: 'a label',
  streams: [{ streamName: '.*', isRegex: true }],
  subscribeRequiresAuth: true,
  record: true,
  recordingRetentionDays: 3,
  allowedOrigins: ['example.com'],
  allowedIpAddresses: ['192.0.2.0/24'],
  deniedIpAddresses: ['192.0.2.7'],
  bindIpsOnUsage: 2,
  allowedCountries: ['CH', 'DE'],
  deniedCountries: ['FR'],
  maxSessions: 4,
  whenFull: 'displace',
  isActive: false,
  addedOn: 5,
  expiresOn: 6,
  revision: 8,
});

describe('TokenPacker', () => {
  it('gives back what it packed, after tokens that differ in one field', () => {
    const packer = new TokenPacker();
    const usual = aTokenRecord();
    for (const field of Object.keys(usual) as (keyof TokenRecord)[]) {
      const one = { ...usual, [field]: UNUSUAL[field] };
      assert.deepEqual(packer.pack(one)?.unpacked(), one, field);
      assert.deepEqual(packer.pack(usual)?.unpacked(), usual, `after ${field}`);
    }
    assert.deepEqual(packer.pack(UNUSUAL)?.unpacked(), UNUSUAL);
  });

  it('packs no token with bound addresses, and none that cannot be read', () => {
    const packer = new TokenPacker();
    const boundIps = [{ address: '192.0.2.1', boundOn: 1 }];
    assert.equal(packer.pack(aTokenRecord({ boundIps })), undefined);
    assert.equal(packer.pack(aTokenRecord({ unreadable: true })), undefined);
  });
});
