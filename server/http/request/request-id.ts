import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What proxies and tracing tools make: UUIDs, hex digits, Base64, ids with a prefix. Nothing that breaks a line of a log. */
const WELL_FORMED = /^[\w.:+/=@-]{8,128}$/;

/** Where a request keeps its id. In a map with weak keys, ids would take longer, and the garbage collector with them. */
const ID = Symbol('request id');

type Identified = IncomingMessage & { [ID]?: string };

/** The id by which log, response and trace name a request. The same with each call. */
export function requestIdOf(req: Identified): string {
  return (req[ID] ??= randomUUID());
}

/** Call it with each request, before anybody asks for its id. @returns the id */
export type RequestIdentifier = (req: IncomingMessage) => string;

/**
 * Takes the id of `X-Request-Id` from trusted proxies, if it is well formed. Anybody else could give a request the id of
 * another one.
 */
export function requestIdentifier(isFromProxy: (req: IncomingMessage) => boolean): RequestIdentifier {
  return (req: Identified) => {
    const sent = req.headers[REQUEST_ID_HEADER];
    if (typeof sent === 'string' && WELL_FORMED.test(sent) && isFromProxy(req)) req[ID] = sent;
    return requestIdOf(req);
  };
}

/** How requests are followed from their beginning. */
export interface RequestFollowing {
  readonly identify: RequestIdentifier;
  /** Calls `handle`, and traces what it does. Undefined: nobody wants traces. @param route if it is known beforehand */
  readonly trace: ((req: IncomingMessage, res: ServerResponse, handle: () => void, route?: string) => void) | undefined;
}

/** Sends the id with every response. To be used before the first route. */
export function followRequests({ identify, trace }: RequestFollowing): RequestHandler {
  return (req, res, next) => {
    res.setHeader(REQUEST_ID_HEADER, identify(req));
    if (trace) trace(req, res, next);
    else next();
  };
}
