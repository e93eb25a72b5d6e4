import type { RequestHandler } from 'express';

/** In characters. Browsers send some hundred. */
const LONGEST = 1_024;
const HEADERS = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];

/**
 * Cuts long lists of what a client accepts. Express makes an object for each entry, which took 200 times the header's
 * size in memory.
 */
export function shortAccept(): RequestHandler {
  return ({ headers }, _res, next) => {
    for (const name of HEADERS) {
      const value = headers[name];
      if (typeof value !== 'string' || value.length <= LONGEST) continue;
      headers[name] = value.slice(0, Math.max(0, value.lastIndexOf(',', LONGEST)));
    }
    next();
  };
}
