import type { Request, RequestHandler } from 'express';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { FailedAttempts } from '../../accounts/failed-attempts.js';
import { UnauthorizedError } from '../../errors.js';
import { actingAs, type Actor } from '../../oversight/actor.js';
import { bindingAddress } from '../../tokens/address-ranges.js';
import { readSessionCookie } from '../session-cookie.js';
import { refuseCrossSite } from './same-origin.js';

export interface ManagementAccess {
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  readonly attempts: FailedAttempts;
  /** Who a request came from. */
  readonly clientAddress: (req: Request) => string;
  /** The origin under which the world knows this server. */
  readonly publicUrl?: string | undefined;
}

export interface Admitted {
  readonly accountId: string;
  readonly actor: Actor;
}

const accounts = new WeakMap<Request, string>();

/**
 * Lets a management call through for the account whose API secret it brings as Bearer, or whose dashboard its cookie
 * is logged in to. What it changes is written down as done by them. Refusals: 401 `secret_missing`, `secret_wrong`,
 * `login_required`; 403 `cross_site_refused`; 429 `too_many_attempts`.
 */
export function managementAccess(access: ManagementAccess): RequestHandler {
  return async (req, res, next) => {
    // The answers hold tokens.
    res.set('cache-control', 'no-store');
    const { accountId, actor } = await admit(req, access);
    accounts.set(req, accountId);
    actingAs(actor, () => next());
  };
}

/** Lets every call through as `admitted`: in front of a listener that nobody else can reach. */
export function accessAs({ accountId, actor }: Admitted): RequestHandler {
  return (req, _res, next) => {
    accounts.set(req, accountId);
    actingAs(actor, () => next());
  };
}

/** The account that `managementAccess` let this request through for. */
export function accountOf(req: Request): string {
  const accountId = accounts.get(req);
  if (accountId === undefined) throw new Error('managementAccess must stand before this route');
  return accountId;
}

async function admit(req: Request, access: ManagementAccess): Promise<Admitted> {
  const { secrets, dashboard, attempts, publicUrl, clientAddress } = access;
  const authorization = req.get('authorization');
  const session = readSessionCookie(req);
  if (authorization === undefined && session !== undefined) {
    refuseCrossSite(req, publicUrl);
    const accountId = (await accountOfSession(req, session, access)) ?? loginRequired();
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

/** The account whose dashboard a cookie is logged in to. */
export async function accountOfSession(
  req: Request,
  session: string,
  { dashboard, attempts, clientAddress }: Pick<ManagementAccess, 'dashboard' | 'attempts' | 'clientAddress'>,
): Promise<string | undefined> {
  const address = bindingAddress(clientAddress(req));
  return await attempts.lookUp({
    address,
    secret: session,
    find: () => dashboard.verify(session),
    repeatsAreFree: true,
  });
}

function secretWrong(): never {
  throw new UnauthorizedError('secret_wrong', 'Unauthorized: this is no present API secret');
}

export function loginRequired(): never {
  throw new UnauthorizedError('login_required', 'Unauthorized: log in with a new link from npx streamgate dashboard');
}
