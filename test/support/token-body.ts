import type { TokenBody } from '../../src/wire/management/token.js';

/** A token as the management API answers it: for the stream `keynote`, without restrictions. */
export function tokenBody(change: Partial<TokenBody> = {}): TokenBody {
  return {
    Id: 1,
    Label: '',
    Token: 't1',
    addedOn: '2025-01-01T00:00:00Z',
    expiresOn: null,
    isActive: true,
    streams: [{ streamName: 'keynote', isRegex: false }],
    allowedOrigins: [],
    allowedIpAddresses: [],
    deniedIpAddresses: [],
    allowedCountries: [],
    deniedCountries: [],
    bindIpsOnUsage: 0,
    boundIps: [],
    id: 1,
    label: '',
    token: 't1',
    ...change,
  };
}
