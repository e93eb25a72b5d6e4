import cors from 'cors';
import { raw, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError, InvalidRequestError } from '../errors.js';
import { toApiError } from '../http/middleware/error-handler.js';
import { REQUEST_ID_HEADER, requestIdOf } from '../http/request/request-id.js';
import { MAX_BODY_BYTES } from '../http/request/json-body.js';

export const SDP = 'application/sdp';
export const SDP_FRAGMENT = 'application/trickle-ice-sdpfrag';

/** The error code of a plain-text answer: the body of a WHIP or WHEP error is a sentence for people. */
const CODE_HEADER = 'Streamgate-Code';

/** How long a browser may cache the answer to a preflight, in seconds. Browsers use a day at most. */
const PREFLIGHT_MAX_AGE = 86_400;

export interface CorsRoute {
  readonly methods: readonly string[];
  /** The content types of POST and PATCH, for the answer to OPTIONS (RFC 9725 section 4.2, RFC 5789). */
  readonly acceptPost?: string;
  readonly acceptPatch?: string;
}

/** Answers OPTIONS, and lets pages of every origin call the route and read its answers, errors included. */
export function allowAnyOrigin({ methods, acceptPost, acceptPatch }: CorsRoute): RequestHandler {
  const headers = {
    allow: ['OPTIONS', ...methods].join(', '),
    ...(acceptPost !== undefined && { 'accept-post': acceptPost }),
    ...(acceptPatch !== undefined && { 'accept-patch': acceptPatch }),
  };
  const allow = cors({
    methods: [...methods],
    allowedHeaders: ['authorization', 'content-type', 'if-match'],
    exposedHeaders: [
      'Location',
      'ETag',
      'Link',
      'Retry-After',
      'Accept-Post',
      'Accept-Patch',
      CODE_HEADER,
      REQUEST_ID_HEADER,
    ],
    maxAge: PREFLIGHT_MAX_AGE,
    optionsSuccessStatus: 200,
  });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') res.set(headers);
    allow(req, res, next);
  };
}

/** RFC 9725 section 4.1: an endpoint or a session has no representation, and answers a GET with 204. */
export const noRepresentation: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') return next();
  res.status(204).end();
};

/** Refuses a client that accepts neither content type of the answers: 406 `not_acceptable`. */
export const requireSdpAccepted: RequestHandler = (req, _res, next) => {
  if (!req.accepts([SDP, 'text/plain'])) {
    throw new ApiError(406, 'not_acceptable', `The answer is ${SDP}, and an error is text/plain: accept both`);
  }
  next();
};

/**
 * Reads a body of this type into `req.body` as text; '' if there is no body.
 * Errors: 415 `not_sdp`, 413 `body_too_large`.
 */
export function sdpBody(type: typeof SDP | typeof SDP_FRAGMENT): RequestHandler {
  const read = raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
  const notSdp = () => new ApiError(415, 'not_sdp', `The body must be sent with Content-Type: ${type}, not compressed`);
  return (req, res, next) => {
    if (mediaType(req.get('content-type')) !== type) throw notSdp();
    read(req, res, (error?: unknown) => {
      if (error === undefined) req.body = Buffer.isBuffer(req.body) ? req.body.toString() : '';
      next(isUnsupportedEncoding(error) ? notSdp() : error);
    });
  };
}

/** Without parameters: `application/sdp; charset=utf-8` is SDP as well. */
function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

function isUnsupportedEncoding(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'encoding.unsupported';
}

/**
 * Answers errors in plain text, as existing WHIP and WHEP services do. Paths are not logged: the path
 * of a session is its credential.
 */
export function plainTextErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const apiError = toApiError(error);
    if (apiError) {
      const { status, code } = apiError;
      log.debug({ request: requestIdOf(req), method: req.method, status, code }, 'a request was refused');
      res.status(apiError.status).set(apiError.headers).set(CODE_HEADER, apiError.code);
      res.type('text/plain').send(errorText(apiError));
      return;
    }
    log.error({ request: requestIdOf(req), err: error, method: req.method }, 'a WHIP or WHEP request failed');
    res.status(500).set(CODE_HEADER, 'internal').type('text/plain').send('something went wrong in the server');
  };
}

function errorText(error: ApiError): string {
  if (!(error instanceof InvalidRequestError)) return error.message;
  const lines = Object.entries(error.errors).map(([field, messages]) => `${field}: ${messages.join(', ')}`);
  return ['Validation errors:', ...lines].join('\n');
}
