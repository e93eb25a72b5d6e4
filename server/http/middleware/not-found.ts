import type { RequestHandler } from 'express';
import { ApiError, NotFoundError } from '../../errors.js';

/** To be used after the last route. */
export function notFound(): RequestHandler {
  return () => {
    throw new NotFoundError('route_not_found', 'There is nothing at this path');
  };
}

/** To be used after the methods of a route, which are `allowed`. */
export function methodNotAllowed(...allowed: readonly string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (req) => {
    throw new ApiError(405, 'method_not_allowed', `${req.method} is not allowed here; allowed: ${allow}`, {
      headers: { allow },
    });
  };
}
