import type { TokenBody } from '../../src/wire/management/token.js';
import type { TokenRecord } from './token-record.js';

/**
 * A token as the wire shows it: the one place that knows the wire's letter case. The four capitalised names have
 * lower-case twins, because clients of both kinds are about.
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
    // Nothing is ever recorded yet, and only publish tokens could ask for it.
    ...(kind === 'publish' && {
      Record: false,
      record: false,
      subscribeRequiresAuth: record.subscribeRequiresAuth,
    }),
    addedOn: new Date(record.addedOn).toISOString(),
    expiresOn: record.expiresOn === null ? null : new Date(record.expiresOn).toISOString(),
    isActive: record.isActive,
    streams: record.streams.map((rule) => ({ ...rule })),
    allowedOrigins: [...record.allowedOrigins],
    // Bound addresses show up where a list written by hand would be.
    allowedIpAddresses:
      record.bindIpsOnUsage > 0 ? record.boundIps.map(({ address }) => address) : [...record.allowedIpAddresses],
    bindIpsOnUsage: record.bindIpsOnUsage,
    boundIps: record.boundIps.map(({ address, boundOn }) => ({ address, boundOn: new Date(boundOn).toISOString() })),
  };
}
