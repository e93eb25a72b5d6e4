import type { NextFunction, Request, Response, Router } from 'express';
import cors from 'cors';
import { CORS_HEADERS, sendGrant, type Director } from './director.js';
import { rethrowDirectorError } from './director-listener.js';
import { jsonBody } from '../middleware/json-body.js';
import { methodNotAllowed } from '../middleware/not-found.js';

/** How long a browser may remember the preflight's answer, in seconds; none remembers longer than a day. */
const PREFLIGHT_MAX_AGE = 86_400;

/**
 * `POST /api/director/publish` and `…/subscribe`, open to every origin. As `text/plain` the JSON needs no preflight.
 * That opens nothing: the answer is the same for any page, and no cookie plays a part in it.
 */
export function addDirectorRoutes(router: Router, director: Director): void {
  const preflight = cors({
    methods: 'POST',
    allowedHeaders: ['authorization', 'content-type'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  for (const call of ['publish', 'subscribe'] as const) {
    router
      .route(`/api/director/${call}`)
      .options(preflight)
      .post(rethrowDirectorError, jsonBody('text/plain'), async (req, res) => sendGrant(res, await director[call](req)))
      .all(methodNotAllowed('POST'), readableAnywhere);
  }
}

/** Opens refusals to every origin on their way to the error handler. A yes brings the header along. */
function readableAnywhere(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  res.set(CORS_HEADERS);
  next(error);
}
