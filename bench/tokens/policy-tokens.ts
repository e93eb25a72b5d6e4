import { createHash } from 'node:crypto';
import type { AccessRequest } from '../../server/rules/access-request.js';
import type { TokenRecord } from '../../server/tokens/token-record.js';

export const NOW = Date.parse('2030-01-01T00:00:00Z');

/** Token number `index` of a service that gives each viewer a token, with a restriction for every rule. */
export function policyToken(index: number): TokenRecord {
  return {
    id: index + 1,
    accountId: 'acme',
    kind: 'subscribe',
    token: valueOf(index),
    label: `visitor ${index}`,
    streams: [{ streamName: `room-${index % 1_000}`, isRegex: false }],
    subscribeRequiresAuth: false,
    record: false,
    recordingRetentionDays: null,
    allowedOrigins: [`*.site-${index % 100}.example`],
    allowedIpAddresses: [`10.${index % 256}.0.0/16`],
    deniedIpAddresses: [],
    bindIpsOnUsage: 0,
    boundIps: [],
    allowedCountries: [],
    deniedCountries: [],
    maxSessions: 0,
    whenFull: 'refuse',
    isActive: true,
    addedOn: NOW,
    expiresOn: NOW + 3_600_000,
    revision: 1,
  };
}

export function valueOf(index: number): string {
  return createHash('sha256').update(String(index)).digest('hex');
}

/** A request with that token. @param refused whether it comes from an address that the token does not allow */
export function policyRequest(index: number, refused: boolean): Omit<AccessRequest, 'token'> {
  return {
    kind: 'subscribe',
    now: NOW,
    accountId: 'acme',
    streamName: `room-${index % 1_000}`,
    presented: true,
    origin: `https://www.site-${index % 100}.example`,
    address: `10.${(index + (refused ? 1 : 0)) % 256}.1.2`,
    country: undefined,
    viewingsAhead: { ofToken: 0, ofSigned: 0 },
    account: { maxSessions: null, sessions: 0 },
    stream: { live: true, taken: true, requiresToken: true },
  };
}
