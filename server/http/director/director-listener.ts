import type { IncomingMessage, RequestListener } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { sendGrant, type Director, type DirectorRequest } from './director.js';
import { hasPlainJsonBody, readPlainJsonBody } from './plain-json-body.js';

/** What went wrong on the short way, until the long one answers it. */
const faults = new WeakMap<IncomingMessage, unknown>();

/**
 * Answers the director's yes ahead of Express, whose routing made it an eighth dearer. Every no, and everything else,
 * goes through the app: there is one place that turns an error into an answer, and one that reads odd bodies.
 */
export function directorListener(director: Director, app: Express): RequestListener {
  const calls = new Map([
    ['/api/director/subscribe', (req: DirectorRequest) => director.subscribe(req)],
    ['/api/director/publish', (req: DirectorRequest) => director.publish(req)],
  ]);

  return (req, res) => {
    const call = req.method === 'POST' ? calls.get(req.url ?? '') : undefined;
    if (!call || !hasPlainJsonBody(req)) return app(req, res);

    const giveUp = (error: unknown) => {
      faults.set(req, error);
      app(req, res);
    };
    const answer = (body: object) =>
      void call(Object.assign(req, { body })).then((grant) => sendGrant(res, grant), giveUp);
    readPlainJsonBody(req, answer, giveUp);
  };
}

/** Stands first on the routes that have a short way: the fault that was met there goes to the error handler. */
export function rethrowDirectorError(req: Request, _res: Response, next: NextFunction): void {
  next(faults.get(req));
}
