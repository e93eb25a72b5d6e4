import type { ApiKeyScope } from '../../src/wire/management/api-key.js';
import type { MemberRole } from '../../src/wire/management/member.js';
import type { LoggedIn } from './dashboard-login-store.js';

/**
 * What a caller of the management API may do. Each endpoint of the API needs exactly one.
 *
 * - `figures`: what is live, statistics, sessions; never the value of a token
 * - `read`: everything that can be read, with the values of tokens
 * - `tokens`, `streams`, `recordings`: change these
 * - `account`: the API secret, keys, members, and settings of the account
 */
export const PERMISSIONS = ['figures', 'read', 'tokens', 'streams', 'recordings', 'account'] as const;

export type Permission = (typeof PERMISSIONS)[number];

export type PermissionSet = ReadonlySet<Permission>;

/** Of the API secret, the command line, and the owner of the account. */
export const ALL_PERMISSIONS: PermissionSet = new Set(PERMISSIONS);

/** Answers to changes of tokens contain their values, so `tokens` always comes with `read`. */
const BY_SCOPE: Readonly<Record<ApiKeyScope, readonly Permission[]>> = {
  read: ['figures', 'read'],
  tokens: ['figures', 'read', 'tokens'],
  streams: ['figures', 'streams'],
  recordings: ['figures', 'recordings'],
  everything: PERMISSIONS,
};

/** The permissions of a key with these scopes. None, for a scope that this version does not know. */
export function permissionsOfScopes(scopes: readonly ApiKeyScope[]): PermissionSet {
  return new Set(scopes.flatMap((scope) => (Object.hasOwn(BY_SCOPE, scope) ? BY_SCOPE[scope] : [])));
}

const BY_ROLE: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: PERMISSIONS,
  manager: ['figures', 'read', 'tokens', 'streams', 'recordings'],
  figures: ['figures'],
};

/** The permissions of a member with this role. None, for a role that this version does not know. */
export function permissionsOfRole(role: MemberRole): PermissionSet {
  return new Set(Object.hasOwn(BY_ROLE, role) ? BY_ROLE[role] : []);
}

/** What somebody may do who is logged in. Nothing, for somebody who is neither an operator nor a member. */
export function permissionsOfLogin(who: LoggedIn['who']): PermissionSet {
  return who === 'operator' ? ALL_PERMISSIONS : permissionsOfRole(who?.role);
}
