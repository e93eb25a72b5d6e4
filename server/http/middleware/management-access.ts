import type { Request, RequestHandler } from 'express';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import { UnauthorizedError } from '../../errors.js';
import { readSessionCookie } from '../session-cookie.js';
import { refuseCrossSite } from './same-origin.js';

export interface ManagementAccess {
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  /** The origin under which the world knows this server. */
  readonly publicUrl?: string | undefined;
}

const accounts = new WeakMap<Request, string>();

/**
 * Lets a management call through for the account whose API secret it brings as Bearer, or whose dashboard its cookie
 * is logged in to. Refusals: 401 `secret_missing`, `secret_wrong`, `login_required`; 403 `cross_site_refused`.
 */
export function managementAccess(access: ManagementAccess): RequestHandler {
  return async (req, res, next) => {
    // The answers hold tokens.
    res.set('cache-control', 'no-store');
    accounts.set(req, await admittedAccount(req, access));
    next();
  };
}

/** The account that `managementAccess` let this request through for. */
export function accountOf(req: Request): string {
  const accountId = accounts.get(req);
  if (accountId === undefined) throw new Error('managementAccess must stand before this route');
  return accountId;
}

async function admittedAccount(req: Request, { secrets, dashboard, publicUrl }: ManagementAccess): Promise<string> {
  const authorization = req.get('authorization');
  const session = readSessionCookie(req);
  if (authorization === undefined && session !== undefined) {
    refuseCrossSite(req, publicUrl);
    return (await dashboard.verify(session)) ?? loginRequired();
  }
  const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (secret === undefined) {
    throw new UnauthorizedError('secret_missing', 'Unauthorized: send Authorization: Bearer <API secret>');
  }
  return (await secrets.verify(secret)) ?? secretWrong();
}

function secretWrong(): never {
  throw new UnauthorizedError('secret_wrong', 'Unauthorized: this is no present API secret');
}

export function loginRequired(): never {
  throw new UnauthorizedError('login_required', 'Unauthorized: log in with a new link from npx streamgate dashboard');
}
