import type { IncomingMessage, RequestListener } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { sendGrant, type Director } from './director.js';
import { jsonBody } from './middleware/json-body.js';

/** What went wrong on the short way, until the long one answers it. */
const faults = new WeakMap<IncomingMessage, unknown>();

/**
 * Answers the director's yes ahead of Express, whose routing made it an eighth dearer. Every no, and everything else,
 * goes through the app: there is one place that turns an error into an answer.
 */
export function directorListener(director: Director, app: Express): RequestListener {
  const readBody = jsonBody();
  const calls = new Map([
    ['/api/director/subscribe', (req: Request) => director.subscribe(req)],
    ['/api/director/publish', (req: Request) => director.publish(req)],
  ]);

  return (req, res) => {
    const call = req.method === 'POST' ? calls.get(req.url ?? '') : undefined;
    if (!call) return app(req, res);

    const giveUp = (error: unknown) => {
      faults.set(req, error);
      app(req, res);
    };
    // The body parser reads and writes what every Node request has; only its types ask for Express's.
    readBody(req as Request, res as Response, (error?: unknown) => {
      if (error !== undefined) return giveUp(error);
      return call(req as Request).then((body) => sendGrant(res, body), giveUp);
    });
  };
}

/** Stands first on the routes that have a short way: the fault that was met there goes to the error handler. */
export function rethrowFault(req: Request, _res: Response, next: NextFunction): void {
  next(faults.get(req));
}
