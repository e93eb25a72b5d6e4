import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, RequestHandler } from 'express';
import { directorEndpoints } from '../endpoints/director-endpoints.js';
import { sendGrant, type Director, type DirectorRequest } from './director.js';
import type { RequestFollowing } from '../request/request-id.js';
import { hasPlainJsonBody, readPlainJsonBody } from '../request/json-body.js';

type Call = (req: DirectorRequest) => Promise<string>;

type WithWritableBody = IncomingMessage & { body?: unknown };

/** Errors of the fast path, by request, until the Express app responds with them. */
const errors = new WeakMap<IncomingMessage, unknown>();

/**
 * Answers the director's grants without Express, whose routing costs an eighth of the CPU time. Refusals and all other
 * requests go through the app, so that one error handler makes every refusal and one parser reads unusual bodies.
 */
export function directorListener(
  director: Director,
  app: Express,
  { identify, trace }: Pick<RequestFollowing, 'identify' | 'trace'>,
): RequestListener {
  const calls = new Map<string | undefined, Call>([
    [directorEndpoints.subscribe.path, (req) => director.subscribe(req)],
    [directorEndpoints.publish.path, (req) => director.publish(req)],
  ]);

  const answer = (call: Call, req: WithWritableBody, res: ServerResponse) => {
    const refuse = (error: unknown) => {
      errors.set(req, error);
      app(req, res);
    };
    const authorize = (body: object) => {
      req.body = body;
      call(req).then((grant) => sendGrant(req, res, grant), refuse);
    };
    readPlainJsonBody(req, authorize, refuse);
  };

  return (req, res) => {
    const call = req.method === 'POST' ? calls.get(req.url) : undefined;
    if (!call || !hasPlainJsonBody(req)) return app(req, res);
    identify(req);
    if (trace) trace(req, res, () => answer(call, req, res), req.url);
    else answer(call, req, res);
  };
}

/** The first handler of the director's routes: passes the error of the fast path to the error handler. */
export const rethrowDirectorError: RequestHandler = (req, _res, next) => next(errors.get(req));
