import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '../../src/wire/management/audit.js';
import type { TokenRecord } from '../tokens/token-record.js';
import type { Actor } from './actor.js';

export type AuditFields = Readonly<Record<string, unknown>>;

/** A change, as the store that makes it describes it. `before` and `after` never contain a secret value. */
export interface AuditChange {
  readonly accountId: string;
  readonly action: AuditAction;
  readonly target: { readonly kind: string; readonly id: string };
  /** What people call the target, where the fields do not say it. */
  readonly targetName?: string | undefined;
  readonly before: AuditFields | null;
  readonly after: AuditFields | null;
}

export interface AuditEntry extends AuditChange {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly actor: Actor;
}

/** What people called the target when it changed. Null: it had no name. */
export function targetNameOf({ targetName = '', before, after }: AuditChange): string | null {
  const fields = ['label', 'name', 'title', 'streamName'].flatMap((field) => [after?.[field], before?.[field]]);
  return [targetName, ...fields].find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}

/**
 * Describes the creation or the change of a token.
 * @param before undefined: the token is new
 * @returns undefined if no visible field changed
 */
export function tokenChange(before: TokenRecord | undefined, after: TokenRecord): AuditChange | undefined {
  const { accountId, kind, id } = after;
  const subject = { accountId, target: { kind: `${kind}_token`, id: String(id) }, targetName: after.label };
  if (!before) return { ...subject, action: 'token_created', before: null, after: visibleFields(after) };

  const refreshed = before.token !== after.token;
  const [oldFields, newFields] = differences(visibleFields(before), visibleFields(after));
  if (!refreshed && Object.keys(newFields).length === 0) return undefined;
  return { ...subject, action: refreshed ? 'token_refreshed' : 'token_changed', before: oldFields, after: newFields };
}

/** @param token without its fields: they could not be read */
export function tokenDeletion(token: TokenRecord | Pick<TokenRecord, 'id' | 'accountId' | 'kind'>): AuditChange {
  const { accountId, kind, id } = token;
  const target = { kind: `${kind}_token`, id: String(id) };
  return {
    accountId,
    target,
    action: 'token_deleted',
    before: 'token' in token ? visibleFields(token) : null,
    after: null,
  };
}

/** The fields of a token that its owner sets, without its value. */
function visibleFields(token: TokenRecord) {
  const { label, streams, allowedOrigins, allowedIpAddresses, bindIpsOnUsage, isActive } = token;
  return {
    label,
    streams,
    allowedOrigins,
    allowedIpAddresses,
    deniedIpAddresses: token.deniedIpAddresses,
    allowedCountries: token.allowedCountries,
    deniedCountries: token.deniedCountries,
    bindIpsOnUsage,
    isActive,
    expiresOn: token.expiresOn === null ? null : new Date(token.expiresOn).toISOString(),
    ...(token.kind === 'subscribe' && { maxSessions: token.maxSessions, whenFull: token.whenFull }),
    ...(token.kind === 'publish' && {
      subscribeRequiresAuth: token.subscribeRequiresAuth,
      record: token.record,
      recordingRetentionDays: token.recordingRetentionDays,
    }),
  };
}

/** The fields that differ, from both records. */
function differences(before: AuditFields, after: AuditFields): [AuditFields, AuditFields] {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const only = (fields: AuditFields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return [only(before), only(after)];
}
