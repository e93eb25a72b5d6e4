import type { Request, RequestHandler } from 'express';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { FailedAttemptLimiter } from '../../accounts/failed-attempt-limiter.js';
import { UnauthorizedError } from '../../errors.js';
import { runAsActor, type Actor } from '../../oversight/actor.js';
import { bindingAddress } from '../../addresses/ip-address.js';
import { readSessionCookie, refuseCrossSite } from './session-cookie.js';

export interface ManagementAccessOptions {
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  readonly attempts: FailedAttemptLimiter;
  readonly clientAddress: (req: Request) => string;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl?: string | undefined;
}

/** An authenticated caller of the management API. */
export interface ManagementCaller {
  readonly accountId: string;
  readonly actor: Actor;
}

const accounts = new WeakMap<Request, string>();

/**
 * Authenticates callers of the management API by an API secret (Bearer) or by the session cookie of the dashboard. The
 * audit log names them as the actor. Refusals: 401 `secret_missing`, `secret_wrong`, `login_required`; 403
 * `cross_site_refused`; 429 `too_many_attempts`.
 */
export function managementAccess(access: ManagementAccessOptions): RequestHandler {
  return async (req, res, next) => {
    // Responses hold tokens.
    res.set('cache-control', 'no-store');
    const { accountId, actor } = await authenticate(req, access);
    accounts.set(req, accountId);
    runAsActor(actor, () => next());
  };
}

/** Accepts every request as this caller. Only for a listener that no other process can call. */
export function managementAccessAs({ accountId, actor }: ManagementCaller): RequestHandler {
  return (req, _res, next) => {
    accounts.set(req, accountId);
    runAsActor(actor, () => next());
  };
}

/** The account that `managementAccess` accepted this request for. */
export function accountIdOf(req: Request): string {
  const accountId = accounts.get(req);
  if (accountId === undefined) throw new Error('managementAccess must run before this route');
  return accountId;
}

async function authenticate(req: Request, access: ManagementAccessOptions): Promise<ManagementCaller> {
  const { secrets, dashboard, attempts, publicUrl, clientAddress } = access;
  const authorization = req.get('authorization');
  const session = readSessionCookie(req);
  if (authorization === undefined && session !== undefined) {
    refuseCrossSite(req, publicUrl);
    const accountId = (await accountIdOfSession(req, session, access)) ?? loginRequired();
    return { accountId, actor: { by: 'dashboard', id: dashboard.idOf(session) } };
  }
  const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (secret === undefined) {
    throw new UnauthorizedError('secret_missing', 'Unauthorized: send Authorization: Bearer <API secret>');
  }
  const address = bindingAddress(clientAddress(req));
  const accountId = await attempts.lookUp({ address, secret, find: () => secrets.verify(secret) });
  return { accountId: accountId ?? secretWrong(), actor: { by: 'secret', id: secrets.idOf(secret) } };
}

/** The account of a dashboard session. Undefined: the session is unknown or has expired. */
export async function accountIdOfSession(
  req: Request,
  session: string,
  { dashboard, attempts, clientAddress }: Pick<ManagementAccessOptions, 'dashboard' | 'attempts' | 'clientAddress'>,
): Promise<string | undefined> {
  const address = bindingAddress(clientAddress(req));
  return await attempts.lookUp({
    address,
    secret: session,
    find: () => dashboard.verify(session),
    ignoreRepeats: true,
  });
}

function secretWrong(): never {
  throw new UnauthorizedError('secret_wrong', 'Unauthorized: this is not the current API secret of an account');
}

export function loginRequired(): never {
  throw new UnauthorizedError('login_required', 'Unauthorized: log in with a new link from npx streamgate dashboard');
}
