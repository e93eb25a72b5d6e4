import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RuleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import type { BroadcastTerms } from '../../../src/wire/director/stream-grant.js';
import type { StreamNames } from '../../../src/wire/stream-id.js';
import type { ViewRequest } from '../../../src/wire/websocket/view-request.js';
import type { AccessAttempt } from '../../admission/access-request-factory.js';
import type { Admission, AdmissionResult } from '../../admission/admission.js';
import type { GrantSigner } from '../../admission/grant-signer.js';
import type { Grant } from '../../admission/grant.js';
import type { IceServers } from '../../admission/ice-servers.js';
import { AccessDeniedError, InvalidRequestError } from '../../errors.js';
import type { RecordingControl } from '../../recording/recording-control.js';
import { streamIdOf, type StreamId } from '../../streams/stream-id.js';
import type { Entrance } from '../../sessions/entrance.js';
import type { StreamPlaces } from '../../streams/stream-places.js';
import { directorEndpoints } from '../endpoints/director-endpoints.js';
import { success } from '../endpoints/endpoint.js';
import { callerOf } from '../request/caller.js';
import type { ClientAddress } from '../request/client-address.js';
import { REQUEST_ID_HEADER, requestIdOf } from '../request/request-id.js';
import type { RequestTurn } from '../request/request-turn.js';
import { parseBody, type WithBody } from '../request/parse.js';

/** Who asks for a viewing. */
interface ViewingCaller {
  readonly requestId: string;
  isGone(): boolean;
}

/** Starts the session of an admitted viewer with the director's call. */
export interface ViewerSessionStarter {
  /** Whether a viewer can start now. Otherwise it sends its offer on the websocket, and waits there. */
  canStart(grant: Grant): boolean;
  /**
   * @param caller the request, and whether its client closed the connection in the meantime
   * @returns the answer to `view`
   * @throws {ApiError} what the session or its media refuses
   */
  start(grant: Grant, request: ViewRequest, caller: ViewingCaller): Promise<object>;
}

export interface DirectorDependencies {
  readonly admission: Admission;
  readonly grants: GrantSigner;
  readonly iceServers: IceServers;
  readonly clientAddress: ClientAddress;
  readonly viewerSessions: ViewerSessionStarter;
  /** Whether this server records. */
  readonly recording: Pick<RecordingControl, 'isAvailable'>;
  /** Whether the media engine of a stream gives frames, which recordings need. */
  readonly hasFrames: (streamId: StreamId) => boolean;
  readonly now: () => number;
  /** The last part of websocket URLs: 32 hex digits. */
  readonly serverId: string;
  readonly places: StreamPlaces;
  readonly entrance: Pick<Entrance, 'requireOpen'>;
  readonly turn: RequestTurn;
}

/** A request whose JSON body was parsed. */
export type DirectorRequest = IncomingMessage & WithBody;

/**
 * Authorizes publishers and viewers. It does not depend on Express, because every viewer calls it and our
 * own server calls it without Express (director-listener.ts).
 */
export class Director {
  readonly #dependencies: DirectorDependencies;

  constructor(dependencies: DirectorDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Authorizes a viewer. With an offer in `view`, also starts the session, which saves the viewer the time to open a
   * websocket and send a command. If the stream is watched on another server, the viewer opens the websocket there.
   * @returns the response body, as JSON text
   * @throws {InvalidRequestError}
   * @throws {AccessDeniedError} with the id of the stream
   * @throws {ApiError} the server has too much to do, or the session or the media engine refuses the offer
   */
  async subscribe(req: DirectorRequest): Promise<string> {
    const turn = this.#dependencies.turn(req);
    if (turn) await turn;
    const { streamName, streamAccountId: accountId, token, view } = parseBody(directorEndpoints.subscribe.body, req);
    const attempt = this.#attempt(req, token, { accountId, streamName });
    if (attempt.token === undefined && !accountId) {
      throw new InvalidRequestError({ streamAccountId: ['is required without a token'] });
    }
    const outcome = this.#dependencies.admission.admit('subscribe', attempt);
    const admitted = this.#placed(allowed(outcome instanceof Promise ? await outcome : outcome));
    const { viewerSessions } = this.#dependencies;
    if (!view || admitted.elsewhere !== undefined || !viewerSessions.canStart(admitted.grant)) {
      return this.#response(req, admitted);
    }
    const started = await viewerSessions.start(admitted.grant, view, {
      requestId: requestIdOf(req),
      isGone: () => req.socket.destroyed,
    });
    return this.#response(req, admitted, `,"view":${JSON.stringify(started)}`);
  }

  /** Authorizes a publisher. Returns and throws as `subscribe` does. */
  async publish(req: DirectorRequest): Promise<string> {
    const turn = this.#dependencies.turn(req);
    if (turn) await turn;
    const { streamName, streamAccountId, token, sessionKey, sourceId } = parseBody(directorEndpoints.publish.body, req);
    const wanted = { accountId: streamAccountId, streamName, sessionKey, sourceId };
    const attempt = this.#attempt(req, token, wanted);
    return this.#response(req, this.#placed(allowed(await this.#dependencies.admission.admit('publish', attempt))));
  }

  /** What applies to a broadcast, before it begins. Returns and throws as `subscribe` does. */
  async check(req: DirectorRequest): Promise<string> {
    const turn = this.#dependencies.turn(req);
    if (turn) await turn;
    const { streamName, streamAccountId, token } = parseBody(directorEndpoints.check.body, req);
    const attempt = this.#attempt(req, token, { accountId: streamAccountId, streamName });
    const { request, verdict } = await this.#dependencies.admission.check(attempt);
    if (!verdict.allowed) throw refusal(verdict.reason, request);
    const terms: BroadcastTerms = {
      streamAccountId: request.accountId,
      subscribeRequiresAuth: request.token?.subscribeRequiresAuth ?? false,
      record: this.#mayRecord(request, request.token),
    };
    return JSON.stringify(success(terms));
  }

  #mayRecord({ accountId, streamName }: StreamNames, token: Allowed['token']): boolean {
    const { recording, hasFrames } = this.#dependencies;
    return recording.isAvailable && token?.record === true && hasFrames(streamIdOf(accountId, streamName));
  }

  /** The grant is for the server where the caller is to connect. @throws {ServerStoppingError} */
  #placed({ grant, token }: Allowed): Placed {
    const { places, entrance } = this.#dependencies;
    const elsewhere = places.placeOf(grant.role, streamIdOf(grant.accountId, grant.streamName));
    if (elsewhere === undefined) entrance.requireOpen();
    return { token, elsewhere, grant: { ...grant, node: elsewhere ?? places.grantNode } };
  }

  #response(req: IncomingMessage, { grant, token, elsewhere }: Placed, extraFields = ''): string {
    const { grants, iceServers, now, serverId, places } = this.#dependencies;
    const time = now();
    const role = grant.role === 'Publish' ? 'pub' : 'sub';
    const url = JSON.stringify(`${socketOrigin(req, elsewhere ?? places.nodeUrl)}/ws/v2/${role}/${serverId}`);
    const until = token?.expiresOn ?? null;
    const expires = until === null ? '' : `,"tokenExpiresIn":${Math.max(0, Math.floor((until - time) / 1000))}`;
    const mayRecord = this.#mayRecord(grant, token);
    const ofPublisher =
      role === 'pub' ? `,"subscribeRequiresAuth":${token?.subscribeRequiresAuth ?? false},"record":${mayRecord}` : '';
    // Concatenated, because JSON.stringify takes longer to search the JWT for characters to escape than signing takes.
    return (
      `{"status":"success","data":{"wsUrl":${url},"urls":[${url}],"jwt":"${grants.sign(grant, time, mayRecord)}",` +
      `"iceServers":${iceServers.json(grant.sessionId, time)},"streamAccountId":${JSON.stringify(grant.accountId)},` +
      `"drmObject":null${ofPublisher}${expires}${extraFields}}}`
    );
  }

  /** What a caller wants, and as whom. The token is in the header or in the body, never in both (RFC 6750). */
  #attempt(
    req: IncomingMessage,
    bodyToken: string | undefined,
    { accountId, streamName, sessionKey, sourceId }: Omit<AccessAttempt, 'token' | 'origin' | 'address'>,
  ): AccessAttempt {
    const { token, origin, address } = callerOf(req, this.#dependencies.clientAddress);
    if (token !== undefined && bodyToken !== undefined) {
      throw new InvalidRequestError({ token: ['must not be sent in the Authorization header too'] });
    }
    return { token: token ?? bodyToken, origin, address, accountId, streamName, sessionKey, sourceId };
  }
}

type Allowed = Extract<AdmissionResult, { admitted: true }>;

interface Placed extends Pick<Allowed, 'grant' | 'token'> {
  /** The origin of another server where the caller is to connect. */
  readonly elsewhere: string | undefined;
}

/** @throws {AccessDeniedError} */
function allowed(outcome: AdmissionResult): Allowed {
  if (outcome.admitted) return outcome;
  throw refusal(outcome.reason, outcome.request, outcome.retryInMs);
}

const refusal = (reason: RuleRefusalCode, { accountId, streamName }: StreamNames, retryInMs?: number) =>
  new AccessDeniedError(reason, { streamId: accountId ? streamIdOf(accountId, streamName) : undefined, retryInMs });

/** Let pages of every origin read responses, refusals included. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `retry-after, ${REQUEST_ID_HEADER}`,
} as const;

/** Sends a grant. */
export function sendGrant(req: IncomingMessage, res: ServerResponse, body: string): void {
  // A list, because Node looks each name of an object up again.
  res.writeHead(200, [
    REQUEST_ID_HEADER,
    requestIdOf(req),
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
    'cache-control',
    'no-store',
    'access-control-allow-origin',
    '*',
  ]);
  res.end(body);
}

/** The origin of websocket URLs: that of a server, or the host of the request. */
function socketOrigin(req: IncomingMessage, url: string | undefined): string {
  if (url) return url.replace(/^http/, 'ws').replace(/\/+$/, '');
  return `${'encrypted' in req.socket ? 'wss' : 'ws'}://${req.headers.host ?? 'localhost'}`;
}
