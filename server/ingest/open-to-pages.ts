import cors from 'cors';
import type { RequestHandler } from 'express';
import { CODE_HEADER } from './plain-errors.js';

/** How long a browser may remember the preflight's answer, in seconds; none remembers longer than a day. */
const PREFLIGHT_MAX_AGE = 86_400;

export interface CorsRoute {
  readonly methods: readonly string[];
  /** What a POST and a PATCH take, told by OPTIONS (RFC 9725 section 4.2, RFC 5789). */
  readonly acceptPost?: string;
  readonly acceptPatch?: string;
}

/** Answers OPTIONS, and lets pages of every origin call the route and read what it says, a no as well. */
export function allowAnyOrigin({ methods, acceptPost, acceptPatch }: CorsRoute): RequestHandler {
  const headers = {
    allow: ['OPTIONS', ...methods].join(', '),
    ...(acceptPost !== undefined && { 'accept-post': acceptPost }),
    ...(acceptPatch !== undefined && { 'accept-patch': acceptPatch }),
  };
  const open = cors({
    methods: [...methods],
    allowedHeaders: ['authorization', 'content-type', 'if-match'],
    exposedHeaders: ['Location', 'ETag', 'Link', 'Retry-After', 'Accept-Post', 'Accept-Patch', CODE_HEADER],
    maxAge: PREFLIGHT_MAX_AGE,
    optionsSuccessStatus: 200,
  });
  return (req, res, next) => {
    if (req.method === 'OPTIONS') res.set(headers);
    open(req, res, next);
  };
}
