import type { TokenBody } from '../../src/wire/management/token.js';
import type { TokenRecord } from './token-record.js';

/**
 * A token in the letter case of the wire. The four capitalised names have lower-case aliases, because there are
 * clients for both.
 */
export function tokenBody(record: TokenRecord): TokenBody {
  const { id, label, token, kind } = record;
  return {
    Id: id,
    Label: label,
    Token: token,
    id,
    label,
    token,
    // Only publish tokens have these.
    ...(kind === 'publish' && {
      Record: record.record,
      record: record.record,
      recordingRetentionDays: record.recordingRetentionDays,
      subscribeRequiresAuth: record.subscribeRequiresAuth,
    }),
    // Only subscribe tokens have these.
    ...(kind === 'subscribe' && { maxSessions: record.maxSessions, whenFull: record.whenFull }),
    addedOn: new Date(record.addedOn).toISOString(),
    expiresOn: record.expiresOn === null ? null : new Date(record.expiresOn).toISOString(),
    isActive: record.isActive,
    streams: record.streams.map((rule) => ({ ...rule })),
    allowedOrigins: [...record.allowedOrigins],
    // A token that binds addresses shows its bound addresses as this list.
    allowedIpAddresses:
      record.bindIpsOnUsage > 0 ? record.boundIps.map(({ address }) => address) : [...record.allowedIpAddresses],
    deniedIpAddresses: [...record.deniedIpAddresses],
    allowedCountries: [...record.allowedCountries],
    deniedCountries: [...record.deniedCountries],
    bindIpsOnUsage: record.bindIpsOnUsage,
    boundIps: record.boundIps.map(({ address, boundOn }) => ({ address, boundOn: new Date(boundOn).toISOString() })),
    // Existing clients know no such field. It is absent from other tokens.
    ...(record.unreadable && { fault: UNREADABLE }),
  };
}

const UNREADABLE: TokenBody['fault'] = {
  code: 'stored_row_unreadable',
  message: 'This token cannot be read, and admits nobody: delete it, and create another one',
};
