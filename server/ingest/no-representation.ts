import type { RequestHandler } from 'express';

/** RFC 9725 section 4.1: an endpoint and a session have nothing to show, and answer a GET with no content. */
export const noRepresentation: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') return next();
  res.status(204).end();
};
