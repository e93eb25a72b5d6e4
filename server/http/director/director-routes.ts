import cors from 'cors';
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { directorEndpoints } from '../endpoints/director-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { jsonBody } from '../request/json-body.js';
import { rethrowDirectorError } from './director-listener.js';
import { CORS_HEADERS, sendGrant, type Director } from './director.js';

/** How long browsers may cache the preflight, in seconds. No browser caches it for longer than a day. */
const PREFLIGHT_MAX_AGE = 86_400;

/**
 * The director's routes, open to every origin. A body sent as `text/plain` needs no preflight. This is safe: the
 * response is the same for every page, and no cookie is read.
 */
export function directorRoutes(director: Director): Router {
  const preflight = cors({
    methods: 'POST',
    allowedHeaders: ['authorization', 'content-type'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  const handlers = (call: keyof typeof directorEndpoints): RequestHandler[] => [
    rethrowDirectorError,
    jsonBody(directorEndpoints[call].bodyTypes),
    async (req, res) => sendGrant(req, res, await director[call](req)),
  ];
  return endpointRouter(
    directorEndpoints,
    { publish: handlers('publish'), subscribe: handlers('subscribe'), check: handlers('check') },
    { preflight, onError: setCorsHeaders },
  );
}

/** Lets pages of every origin read refusals. `sendGrant` does the same for grants. */
const setCorsHeaders: ErrorRequestHandler = (error, _req, res, next) => {
  res.set(CORS_HEADERS);
  next(error);
};
