import type { NextFunction, Request, Response, Router } from 'express';
import cors from 'cors';
import type { Admission, Admitted, Application } from '../../admission/admission.js';
import type { GrantSigner } from '../../admission/grant-signer.js';
import { AccessDeniedError, InvalidRequestError } from '../../errors.js';
import { publishAuthRequest } from '../../../src/wire/publish-auth.js';
import { viewerAuthRequest } from '../../../src/wire/viewer-auth.js';
import type { ClientAddress } from '../client-address.js';
import { jsonBody } from '../middleware/json-body.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parseBody } from '../parse.js';
import { socketOrigin } from '../socket-origin.js';

/** How long a browser may remember the preflight's answer, in seconds; none remembers longer than a day. */
const PREFLIGHT_MAX_AGE = 86_400;

export interface DirectorDependencies {
  readonly admission: Admission;
  readonly grants: GrantSigner;
  readonly clientAddress: ClientAddress;
  readonly now: () => number;
  /** The part of a websocket address after `/ws/v2/pub/`: 32 hex digits. */
  readonly serverId: string;
  /** The origin that clients reach us at; undefined: the one that they asked at. */
  readonly publicUrl: string | undefined;
}

/**
 * `POST /api/director/publish` and `…/subscribe`: who may publish and who may watch (wire-facts 2). Open to every
 * origin, on refusals too, as pages anywhere must be able to read the reason.
 *
 * This is the path of every viewer. So it stands ahead of everything else, on the router itself, as each further
 * router costs a microsecond; and it writes its answers itself, without an ETag.
 */
export function addDirectorRoutes(router: Router, dependencies: DirectorDependencies): void {
  const { admission, clientAddress } = dependencies;
  const preflight = cors({
    methods: 'POST',
    allowedHeaders: ['authorization', 'content-type'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  const body = jsonBody();

  router
    .route('/api/director/subscribe')
    .options(preflight)
    .post(body, async (req, res) => {
      const { streamName, streamAccountId } = parseBody(viewerAuthRequest, req);
      const application = { ...caller(req, clientAddress), accountId: streamAccountId, streamName };
      if (application.token === undefined && !streamAccountId) {
        throw new InvalidRequestError({ streamAccountId: ['is needed where no token says it'] });
      }
      answer(dependencies, req, res, await admission.admit('subscribe', application));
    })
    .all(methodNotAllowed('POST'), readableAnywhere);

  router
    .route('/api/director/publish')
    .options(preflight)
    .post(body, async (req, res) => {
      const { streamName, streamAccountId, sessionKey } = parseBody(publishAuthRequest, req);
      const application = { ...caller(req, clientAddress), accountId: streamAccountId, streamName, sessionKey };
      answer(dependencies, req, res, await admission.admit('publish', application));
    })
    .all(methodNotAllowed('POST'), readableAnywhere);
}

/** Opens refusals to every origin on their way to the error handler. A yes brings the header along. */
function readableAnywhere(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', 'retry-after');
  next(error);
}

function answer(
  { grants, now, serverId, publicUrl }: DirectorDependencies,
  req: Request,
  res: Response,
  outcome: Admitted,
): void {
  if (!outcome.admitted) {
    const { accountId, streamName } = outcome.request;
    throw new AccessDeniedError(outcome.reason, { streamId: `${accountId}/${streamName}` });
  }
  const { grant, token } = outcome;
  const url = `${socketOrigin(req, publicUrl)}/ws/v2/${grant.role === 'Publish' ? 'pub' : 'sub'}/${serverId}`;
  // Put together by hand: to look a JWT through for what needs escaping took longer than to sign it.
  const quotedUrl = JSON.stringify(url);
  const requiresAuth =
    grant.role === 'Publish' ? `,"subscribeRequiresAuth":${token?.subscribeRequiresAuth ?? false}` : '';
  const body =
    `{"status":"success","data":{"wsUrl":${quotedUrl},"urls":[${quotedUrl}],"jwt":"${grants.sign(grant, now())}",` +
    `"iceServers":[],"streamAccountId":${JSON.stringify(grant.accountId)},"drmObject":null${requiresAuth}}}`;
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  res.end(body);
}

/** What a request says of whoever made it. */
function caller(req: Request, clientAddress: ClientAddress): Pick<Application, 'token' | 'origin' | 'address'> {
  return { token: bearer(req), origin: req.headers.origin, address: clientAddress(req) };
}

/** The token presented. `NoAuth` is how some native clients say none; a scheme we cannot read is a token we do not know. */
function bearer(req: Request): string | undefined {
  const { authorization } = req.headers;
  if (!authorization || authorization.toLowerCase() === 'noauth') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}
