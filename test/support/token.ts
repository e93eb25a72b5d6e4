import type { CompiledToken } from '../../server/tokens/compiled-token.js';
import type { TokenRecord } from '../../server/tokens/token-record.js';

/** A subscribe token of account `acme` for the stream `main`. A test changes the field that it is about. */
export function aTokenRecord(overrides: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 1,
    accountId: 'acme',
    kind: 'subscribe',
    token: 'ab'.repeat(32),
    label: '',
    streams: [{ streamName: 'main', isRegex: false }],
    subscribeRequiresAuth: false,
    record: false,
    recordingRetentionDays: null,
    allowedOrigins: [],
    allowedIpAddresses: [],
    deniedIpAddresses: [],
    bindIpsOnUsage: 0,
    boundIps: [],
    allowedCountries: [],
    deniedCountries: [],
    maxSessions: 0,
    whenFull: 'refuse',
    isActive: true,
    addedOn: Date.parse('2029-01-01T00:00:00Z'),
    expiresOn: null,
    revision: 1,
    ...overrides,
  };
}

/** `aTokenRecord`, compiled. It permits the exact names of its stream rules. */
export function aCompiledToken(overrides: Partial<CompiledToken> = {}): CompiledToken {
  const record = aTokenRecord(overrides);
  return {
    ...record,
    signed: null,
    fingerprint: record.token.slice(0, 16),
    permitsOrigin: () => true,
    permitsAddress: () => true,
    deniesAddress: () => false,
    permitsCountry: () => true,
    isBoundTo: (address) => record.boundIps.some((bound) => bound.address === address),
    permitsStream: (name) => record.streams.some(({ streamName }) => streamName === name),
    ...overrides,
  };
}
