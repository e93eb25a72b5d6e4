import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '../../src/wire/management/audit.js';
import type { TokenRecord } from '../tokens/token-record.js';
import type { Actor } from './actor.js';

export type AuditFields = Readonly<Record<string, unknown>>;

/** What was changed, as the store that changes it says. Neither `before` nor `after` ever has a secret value. */
export interface AuditChange {
  readonly accountId: string;
  readonly action: AuditAction;
  readonly target: { readonly kind: string; readonly id: string };
  readonly before: AuditFields | null;
  readonly after: AuditFields | null;
}

export interface AuditEntry extends AuditChange {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly actor: Actor;
}

/**
 * @param before undefined: the token is new
 * @returns undefined if nothing is different
 */
export function tokenChange(before: TokenRecord | undefined, after: TokenRecord): AuditChange | undefined {
  const { accountId, kind, id } = after;
  const of = { accountId, target: { kind: `${kind}_token`, id: String(id) } };
  if (!before) return { ...of, action: 'token_created', before: null, after: shown(after) };

  const refreshed = before.token !== after.token;
  const [was, is] = differing(shown(before), shown(after));
  if (!refreshed && Object.keys(is).length === 0) return undefined;
  return { ...of, action: refreshed ? 'token_refreshed' : 'token_changed', before: was, after: is };
}

export function tokenDeletion(token: TokenRecord): AuditChange {
  const { accountId, kind, id } = token;
  const target = { kind: `${kind}_token`, id: String(id) };
  return { accountId, target, action: 'token_deleted', before: shown(token), after: null };
}

/** All that its owner decides about a token, but for its value. */
function shown(token: TokenRecord) {
  const { label, streams, allowedOrigins, allowedIpAddresses, bindIpsOnUsage, isActive } = token;
  return {
    label,
    streams,
    allowedOrigins,
    allowedIpAddresses,
    bindIpsOnUsage,
    isActive,
    expiresOn: token.expiresOn === null ? null : new Date(token.expiresOn).toISOString(),
    ...(token.kind === 'publish' && { subscribeRequiresAuth: token.subscribeRequiresAuth }),
  };
}

function differing(before: AuditFields, after: AuditFields): [AuditFields, AuditFields] {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const only = (fields: AuditFields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return [only(before), only(after)];
}
