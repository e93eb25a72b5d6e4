import type { Request, RequestHandler, Response, Router } from 'express';
import type { DashboardSession, RtmpAddress } from '../../../src/wire/management/dashboard-session.js';
import type { LoggedIn } from '../../accounts/dashboard-login-store.js';
import type { DashboardLogin, DashboardSessionStart, LoginBrowser } from '../../accounts/dashboard-login.js';
import type { FailedAttemptLimiter } from '../../accounts/failed-attempt-limiter.js';
import { permissionsOfLogin } from '../../accounts/permission.js';
import { signInRefused, type PasskeyService } from '../../accounts/passkeys/passkey-service.js';
import type { PasswordService } from '../../accounts/passwords/password-service.js';
import { bindingAddress } from '../../addresses/ip-address.js';
import { UnauthorizedError } from '../../errors.js';
import { dashboardEndpoints } from '../endpoints/dashboard-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { loggedInBy, loginRequired } from './management-access.js';
import { passkeySiteOf } from './passkey-routes.js';
import { clearSessionCookie, readSessionCookie, refuseCrossSite, setSessionCookie } from './session-cookie.js';

export interface DashboardLoginOptions {
  readonly dashboard: DashboardLogin;
  readonly passkeys: PasskeyService;
  readonly passwords: PasswordService;
  readonly attempts: FailedAttemptLimiter;
  readonly clientAddress: (req: Request) => string;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl?: string | undefined;
  /** Where encoders connect over RTMP. Null: nowhere. */
  readonly rtmp: () => RtmpAddress | null;
  /** Whether tokens can have lists of countries. */
  readonly knowsCountries: boolean;
}

/** `/api/dashboard`: sets, reads and clears the session cookie that `managementAccess` accepts. */
export function dashboardLoginRoutes(options: DashboardLoginOptions): Router {
  const { dashboard, passkeys, passwords, attempts, publicUrl, clientAddress, rtmp, knowsCountries } = options;
  const sessionBody = ({ accountId, who }: LoggedIn): DashboardSession => ({
    accountId,
    memberName: who === 'operator' ? null : who.name,
    permissions: [...permissionsOfLogin(who)],
    rtmp: rtmp(),
    countries: knowsCountries,
  });

  /** Responses contain session data. Requests that change something must come from our own pages. */
  const protect: RequestHandler = (req, res, next) => {
    res.set('cache-control', 'no-store');
    if (req.method === 'POST') refuseCrossSite(req, publicUrl);
    next();
  };

  const browserOf = (req: Request): LoginBrowser => ({
    address: bindingAddress(clientAddress(req)),
    userAgent: req.get('user-agent'),
  });
  /** Each login has a session of its own. The one that the browser had before ends. */
  const begin = async (login: DashboardSessionStart, req: Request, res: Response) => {
    const before = readSessionCookie(req, publicUrl);
    if (before !== undefined) await dashboard.logout(before);
    const { session, expiresOn } = login;
    setSessionCookie(req, res, { session, expiresOn, publicUrl });
    return success(sessionBody(login));
  };

  return endpointRouter(
    dashboardEndpoints,
    {
      async login({ body: { code }, req, res }) {
        const browser = browserOf(req);
        const { address } = browser;
        const login = await attempts.lookUp({ address, secret: code, find: () => dashboard.login(code, browser) });
        if (!login) throw codeWrong();
        return await begin(login, req, res);
      },
      async passkeyOptions({ req }) {
        return success(await passkeys.requestOptions(passkeySiteOf(req, publicUrl)));
      },
      async passkeyLogin({ body: { credential }, req, res }) {
        const browser = browserOf(req);
        const result = await attempts.lookUp({
          address: browser.address,
          secret: `${credential.id} ${credential.response.signature} ${credential.response.clientDataJSON}`,
          find: () => passkeys.signIn(credential, passkeySiteOf(req, publicUrl), browser),
          isRefused: ({ ok }) => !ok,
        });
        if (!result?.ok) throw signInRefused(result?.refusal ?? 'passkey_wrong');
        return await begin(result.login, req, res);
      },
      passwordLogin: async ({ body, req, res }) => await begin(await passwords.signIn(body, browserOf(req)), req, res),
      async session({ req }) {
        const session = readSessionCookie(req, publicUrl);
        const loggedIn = session === undefined ? undefined : await loggedInBy(req, session, options);
        return success(sessionBody(loggedIn ?? loginRequired()));
      },
      async logout({ req, res }) {
        const session = readSessionCookie(req, publicUrl);
        if (session !== undefined && (await loggedInBy(req, session, options)) !== undefined) {
          await dashboard.logout(session);
        }
        clearSessionCookie(req, res, publicUrl);
        return success(true);
      },
    },
    { before: [protect] },
  );
}

function codeWrong(): UnauthorizedError {
  return new UnauthorizedError(
    'login_code_wrong',
    'Unauthorized: this login link was already used or has expired; create another with npx streamgate dashboard',
  );
}
