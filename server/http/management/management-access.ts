import type { Request, RequestHandler } from 'express';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import { API_KEY_PREFIX, type ApiKeyService } from '../../accounts/api-key-service.js';
import type { LastUseRecorder } from '../../accounts/last-use-recorder.js';
import type { LoggedIn } from '../../accounts/dashboard-login-store.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { FailedAttemptLimiter } from '../../accounts/failed-attempt-limiter.js';
import {
  ALL_PERMISSIONS,
  permissionsOfLogin,
  permissionsOfScopes,
  type Permission,
  type PermissionSet,
} from '../../accounts/permission.js';
import type { CallLimiter } from '../../accounts/limits/call-limiter.js';
import { secretHash } from '../../accounts/secret-value.js';
import { ApiError, UnauthorizedError } from '../../errors.js';
import { runAsActor, type Actor } from '../../oversight/actor.js';
import { bindingAddress } from '../../addresses/ip-address.js';
import { readSessionCookie, refuseCrossSite } from './session-cookie.js';

export interface ManagementAccessOptions {
  readonly secrets: ApiSecretService;
  readonly keys: ApiKeyService;
  /** Is told of each use of a key. */
  readonly keyUses: Pick<LastUseRecorder, 'used'>;
  /** Is told of each use of an API secret, by its hash. */
  readonly secretUses: Pick<LastUseRecorder, 'used'>;
  readonly dashboard: DashboardLogin;
  /** Is told of each use of a session of the dashboard, by its hash. */
  readonly loginUses: Pick<LastUseRecorder, 'used'>;
  readonly attempts: FailedAttemptLimiter;
  /** Limits the calls of accounts by secrets and keys. Absent: no account has a limit. */
  readonly calls?: Pick<CallLimiter, 'count'>;
  readonly clientAddress: (req: Request) => string;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl?: string | undefined;
}

/** An authenticated caller of the management API. */
export interface ManagementCaller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly permissions: PermissionSet;
  /** The member of the account who is logged in. Absent: another kind of caller. */
  readonly memberId?: string;
}

const callers = new WeakMap<Request, ManagementCaller>();

/**
 * Authenticates callers of the management API by an API secret or a key (Bearer), or by the session cookie of the dashboard. The
 * audit log names them as the actor. Refusals: 401 `secret_missing`, `secret_wrong`, `key_expired`, `key_revoked`, `login_required`; 403
 * `cross_site_refused`; 429 `too_many_attempts`, `too_many_calls`.
 */
export function managementAccess(access: ManagementAccessOptions): RequestHandler {
  return async (req, res, next) => {
    // Responses hold tokens.
    res.set('cache-control', 'no-store');
    const caller = await authenticate(req, access);
    // People at the dashboard must see why their programs are refused.
    if (caller.actor.by !== 'dashboard') access.calls?.count(caller.accountId);
    callers.set(req, caller);
    runAsActor(caller.actor, () => next());
  };
}

/** Accepts every request as this caller. Only for a listener that no other process can call. */
export function managementAccessAs(caller: ManagementCaller): RequestHandler {
  return (req, _res, next) => {
    callers.set(req, caller);
    runAsActor(caller.actor, () => next());
  };
}

/** The caller that `managementAccess` accepted this request for. */
export function managementCallerOf(req: Request): ManagementCaller {
  const caller = callers.get(req);
  if (caller === undefined) throw new Error('managementAccess must run before this route');
  return caller;
}

/** The account that `managementAccess` accepted this request for. */
export function accountIdOf(req: Request): string {
  return managementCallerOf(req).accountId;
}

/** Refuses callers who do not have the permission, before the request is parsed. */
export function requirePermission(permission: Permission): RequestHandler {
  return (req, _res, next) => {
    refuseMissingPermissions(req, [permission]);
    next();
  };
}

/** Refuses the caller if they lack one of the permissions. The only place that does. */
export function refuseMissingPermissions(req: Request, needed: Iterable<Permission>): void {
  const { permissions } = managementCallerOf(req);
  for (const permission of needed) if (!permissions.has(permission)) permissionMissing(permission);
}

async function authenticate(req: Request, access: ManagementAccessOptions): Promise<ManagementCaller> {
  const { dashboard, loginUses, clientAddress, publicUrl } = access;
  const authorization = req.get('authorization');
  const session = readSessionCookie(req, publicUrl);
  if (authorization === undefined && session !== undefined) {
    refuseCrossSite(req, publicUrl);
    const { accountId, who } = (await loggedInBy(req, session, access)) ?? loginRequired();
    const member = who === 'operator' ? undefined : who;
    loginUses.used(secretHash(session), bindingAddress(clientAddress(req)));
    return {
      accountId,
      actor: { by: 'dashboard', id: dashboard.idOf(session), ...(member && { name: member.name }) },
      permissions: permissionsOfLogin(who),
      ...(member && { memberId: member.id }),
    };
  }
  const secret = /^Bearer[ \t]+(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (secret === undefined) {
    throw new UnauthorizedError('secret_missing', 'Unauthorized: send Authorization: Bearer <API secret>');
  }
  return secret.startsWith(API_KEY_PREFIX)
    ? await callerOfKey(req, secret, access)
    : await callerOfSecret(req, secret, access);
}

async function callerOfSecret(
  req: Request,
  secret: string,
  access: ManagementAccessOptions,
): Promise<ManagementCaller> {
  const { secrets, secretUses, attempts, clientAddress } = access;
  const address = bindingAddress(clientAddress(req));
  const accountId = await attempts.lookUp({ address, secret, find: () => secrets.verify(secret) });
  if (accountId === undefined) return secretWrong();
  secretUses.used(secretHash(secret), address);
  return {
    accountId,
    actor: { by: 'secret', id: secrets.idOf(secret) },
    permissions: ALL_PERMISSIONS,
  };
}

async function callerOfKey(req: Request, value: string, access: ManagementAccessOptions): Promise<ManagementCaller> {
  const { keys, keyUses, attempts, clientAddress } = access;
  const address = bindingAddress(clientAddress(req));
  const found = await attempts.lookUp({
    address,
    secret: value,
    find: () => keys.verify(value),
    isRefused: ({ state }) => state !== 'valid',
  });
  if (!found) return secretWrong();
  const { key, state } = found;
  if (state === 'key_expired')
    throw new UnauthorizedError('key_expired', 'Unauthorized: this key or this old value of it has expired');
  if (state === 'key_revoked') throw new UnauthorizedError('key_revoked', 'Unauthorized: this key was revoked');
  keyUses.used(key.id, address);
  const { accountId, id, name, scopes } = key;
  return { accountId, actor: { by: 'key', id, name }, permissions: permissionsOfScopes(scopes) };
}

/** Refuses programs: everybody but people at the dashboard, at the command line of the server, or who mount it. */
export const requirePerson: RequestHandler = (req, _res, next) => {
  const { by } = managementCallerOf(req).actor;
  if (by === 'dashboard' || by === 'cli' || by === 'server') return next();
  throw new ApiError(
    403,
    'person_required',
    'Forbidden: this call is for people. Use the dashboard, or npx streamgate on the machine of the server',
  );
};

/** Whose dashboard session it is. Undefined: it is unknown or has expired. */
export async function loggedInBy(
  req: Request,
  session: string,
  { dashboard, attempts, clientAddress }: Pick<ManagementAccessOptions, 'dashboard' | 'attempts' | 'clientAddress'>,
): Promise<LoggedIn | undefined> {
  const address = bindingAddress(clientAddress(req));
  return await attempts.lookUp({
    address,
    secret: session,
    find: () => dashboard.verify(session),
    ignoreRepeats: true,
  });
}

function permissionMissing(permission: Permission): never {
  throw new ApiError(403, 'permission_missing', `Forbidden: this call needs the permission ${permission}`, {
    details: { permission },
  });
}

function secretWrong(): never {
  throw new UnauthorizedError(
    'secret_wrong',
    'Unauthorized: this is not the current API secret or a key of an account',
  );
}

export function loginRequired(): never {
  throw new UnauthorizedError('login_required', 'Unauthorized: log in with a new link from npx streamgate dashboard');
}
