import { Router, type Request } from 'express';
import { dashboardLogin } from '../../../src/wire/management/dashboard-session.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { FailedAttemptLimiter } from '../../accounts/failed-attempt-limiter.js';
import { UnauthorizedError } from '../../errors.js';
import { bindingAddress } from '../../addresses/ip-address.js';
import { success } from '../envelope.js';
import { accountIdOfSession, loginRequired } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { refuseCrossSite } from './same-origin.js';
import { parseBody } from '../request/parse.js';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.js';

export interface DashboardLoginOptions {
  readonly dashboard: DashboardLogin;
  readonly attempts: FailedAttemptLimiter;
  /** Who a request came from. */
  readonly clientAddress: (req: Request) => string;
  /** The origin under which the world knows this server. */
  readonly publicUrl?: string | undefined;
}

/** `/api/dashboard`: how a browser gets, shows and gives back the cookie that `managementAccess` takes. */
export function dashboardLoginRoutes(dependencies: DashboardLoginOptions): Router {
  const { dashboard, attempts, publicUrl, clientAddress } = dependencies;
  const router = Router();

  router.use((_req, res, next) => {
    res.set('cache-control', 'no-store');
    next();
  });

  router
    .route('/login')
    .post(async (req, res) => {
      refuseCrossSite(req, publicUrl);
      const { code } = parseBody(dashboardLogin, req);
      const address = bindingAddress(clientAddress(req));
      const started = await attempts.lookUp({ address, secret: code, find: () => dashboard.login(code) });
      if (!started) return codeWrong();
      setSessionCookie(res, started.session, {
        expiresOn: started.expiresOn,
        secure: isHttps(req, publicUrl),
      });
      res.json(success({ accountId: started.accountId }));
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/session')
    .get(async (req, res) => {
      const session = readSessionCookie(req);
      const accountId = session === undefined ? undefined : await accountIdOfSession(req, session, dependencies);
      res.json(success({ accountId: accountId ?? loginRequired() }));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/logout')
    .post(async (req, res) => {
      refuseCrossSite(req, publicUrl);
      const session = readSessionCookie(req);
      if (session !== undefined && (await accountIdOfSession(req, session, dependencies)) !== undefined) {
        await dashboard.logout(session);
      }
      clearSessionCookie(res, isHttps(req, publicUrl));
      res.json(success(true));
    })
    .all(methodNotAllowed('POST'));

  return router;
}

/** Https of our own, or of whatever stands before us under the public name. */
function isHttps(req: Request, publicUrl: string | undefined): boolean {
  if (req.secure) return true;
  return publicUrl?.startsWith('https:') === true && new URL(publicUrl).host === req.get('host');
}

function codeWrong(): never {
  throw new UnauthorizedError(
    'login_code_wrong',
    'Unauthorized: this login link was used already or has run out; make another with npx streamgate dashboard',
  );
}
