import type { RequestHandler } from 'express';
import { ApiError, NotFoundError } from '../../errors.js';

/** Stands after the last route. */
export function notFound(): RequestHandler {
  return () => {
    throw new NotFoundError('route_not_found', 'There is nothing at this address');
  };
}

/** Stands after the methods of a route: `allowed` is what it has. */
export function methodNotAllowed(...allowed: readonly string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (req) => {
    throw new ApiError(405, 'method_not_allowed', `${req.method} does nothing here; possible: ${allow}`, {
      headers: { allow },
    });
  };
}
