import type { RequestHandler } from 'express';
import { ApiError } from '../errors.js';
import { SDP } from './sdp-body.js';

/** Refuses a caller whose Accept admits neither of what we answer with: 406 `not_acceptable`. */
export const requireSdpAccepted: RequestHandler = (req, _res, next) => {
  if (!req.accepts([SDP, 'text/plain'])) {
    throw new ApiError(406, 'not_acceptable', `The answer is ${SDP}, and a refusal is text/plain: accept them`);
  }
  next();
};
