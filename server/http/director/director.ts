import type { IncomingMessage, ServerResponse } from 'node:http';
import { publishAuthRequest, subscribeAuthRequest } from '../../../src/wire/director/director-request.js';
import type { ViewRequest } from '../../../src/wire/websocket/view-request.js';
import type { Admission, AdmissionResult, AccessAttempt } from '../../admission/admission.js';
import type { GrantSigner } from '../../admission/grant-signer.js';
import type { Grant } from '../../admission/grant.js';
import type { IceServers } from '../../admission/ice-servers.js';
import { AccessDeniedError, InvalidRequestError } from '../../errors.js';
import { bearerToken } from '../request/bearer-token.js';
import type { ClientAddress } from '../request/client-address.js';
import { parseBody, type WithBody } from '../request/parse.js';
import { socketOrigin } from './socket-origin.js';

/** Starts the session of an admitted viewer with the director's call. */
export interface ViewerSessionStarter {
  /**
   * @param isGone whether the caller closed its connection in the meantime
   * @returns the answer to `view`
   * @throws {ApiError} what the session or its media refuses
   */
  start(grant: Grant, request: ViewRequest, isGone: () => boolean): Promise<object>;
}

export interface DirectorDependencies {
  readonly admission: Admission;
  readonly grants: GrantSigner;
  readonly iceServers: IceServers;
  readonly clientAddress: ClientAddress;
  readonly viewerSessions: ViewerSessionStarter;
  readonly now: () => number;
  /** The part of a websocket address after `/ws/v2/pub/`: 32 hex digits. */
  readonly serverId: string;
  /** The origin that clients reach us at; undefined: the one that they asked at. */
  readonly publicUrl: string | undefined;
}

/** A request whose JSON body was read. */
export type DirectorRequest = IncomingMessage & WithBody;

/**
 * Says who may publish and who may watch (wire-facts 2). It knows no framework: every viewer comes this way, and on
 * our own server he comes by the short one (director-listener.ts).
 */
export class Director {
  readonly #dependencies: DirectorDependencies;

  constructor(dependencies: DirectorDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The answer to a viewer's call, as JSON. Who brings his offer along is answered that, too: it saves him the time
   * that a websocket takes to open, and that of a command.
   * @throws {InvalidRequestError} @throws {AccessDeniedError} the reason, and the stream that was asked for
   * @throws {ApiError} what the session or its media refuses
   */
  async subscribe(req: DirectorRequest): Promise<string> {
    const { streamName, streamAccountId, token, view } = parseBody(subscribeAuthRequest, req);
    const application = { ...this.#caller(req, token), accountId: streamAccountId, streamName };
    if (application.token === undefined && !streamAccountId) {
      throw new InvalidRequestError({ streamAccountId: ['is needed where no token says it'] });
    }
    const admitted = allowed(await this.#dependencies.admission.admit('subscribe', application));
    if (!view) return this.#answer(req, admitted);
    const begun = await this.#dependencies.viewerSessions.start(admitted.grant, view, () => req.socket.destroyed);
    return this.#answer(req, admitted, `,"view":${JSON.stringify(begun)}`);
  }

  /** The answer to a publisher's call, as JSON. Throws as `subscribe` does. */
  async publish(req: DirectorRequest): Promise<string> {
    const { streamName, streamAccountId, token, sessionKey, sourceId } = parseBody(publishAuthRequest, req);
    const application = { ...this.#caller(req, token), accountId: streamAccountId, streamName, sessionKey, sourceId };
    return this.#answer(req, allowed(await this.#dependencies.admission.admit('publish', application)));
  }

  #answer(req: IncomingMessage, { grant, token }: Allowed, begun = ''): string {
    const { grants, iceServers, now, serverId, publicUrl } = this.#dependencies;
    const time = now();
    const role = grant.role === 'Publish' ? 'pub' : 'sub';
    const url = JSON.stringify(`${socketOrigin(req, publicUrl)}/ws/v2/${role}/${serverId}`);
    const until = token?.expiresOn ?? null;
    const expires = until === null ? '' : `,"tokenExpiresIn":${Math.max(0, Math.floor((until - time) / 1000))}`;
    const requiresAuth = role === 'pub' ? `,"subscribeRequiresAuth":${token?.subscribeRequiresAuth ?? false}` : '';
    // Put together by hand: to look a JWT through for what needs escaping took longer than to sign it.
    return (
      `{"status":"success","data":{"wsUrl":${url},"urls":[${url}],"jwt":"${grants.sign(grant, time)}",` +
      `"iceServers":${iceServers.json(grant.sessionId, time)},"streamAccountId":${JSON.stringify(grant.accountId)},` +
      `"drmObject":null${requiresAuth}${expires}${begun}}}`
    );
  }

  /**
   * What a request says of whoever made it. The token comes in the header, or in the body (`told`), as RFC 6750 has it
   * of bearer tokens: never in both.
   */
  #caller(req: IncomingMessage, told: string | undefined): Pick<AccessAttempt, 'token' | 'origin' | 'address'> {
    const token = bearerToken(req);
    if (token !== undefined && told !== undefined) {
      throw new InvalidRequestError({ token: ['is in the Authorization header, too'] });
    }
    return { token: token ?? told, origin: req.headers.origin, address: this.#dependencies.clientAddress(req) };
  }
}

type Allowed = Extract<AdmissionResult, { admitted: true }>;

/** @throws {AccessDeniedError} */
function allowed(outcome: AdmissionResult): Allowed {
  if (outcome.admitted) return outcome;
  const { accountId, streamName } = outcome.request;
  const { reason, retryInMs } = outcome;
  throw new AccessDeniedError(reason, { streamId: `${accountId}/${streamName}`, retryInMs });
}

/** Pages anywhere must be able to read the answer, a no as well. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
} as const;

/** Sends a yes. */
export function sendGrant(res: ServerResponse, body: string): void {
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  res.end(body);
}
