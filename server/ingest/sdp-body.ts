import { raw, type RequestHandler } from 'express';
import { ApiError } from '../errors.js';
import { MAX_BODY_BYTES } from '../http/middleware/json-body.js';

export const SDP = 'application/sdp';
export const SDP_FRAGMENT = 'application/trickle-ice-sdpfrag';

/**
 * Reads a body of `type`, and of no other, as text into `req.body`; '' when there is none.
 * Refusals: 415 `not_sdp`, 413 `body_too_large`.
 */
export function sdpBody(type: typeof SDP | typeof SDP_FRAGMENT): RequestHandler {
  const read = raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });
  const notSdp = () => new ApiError(415, 'not_sdp', `The body must be sent with Content-Type: ${type}, not compressed`);
  return (req, res, next) => {
    if (mediaType(req.get('content-type')) !== type) throw notSdp();
    read(req, res, (error?: unknown) => {
      if (error === undefined) req.body = Buffer.isBuffer(req.body) ? req.body.toString() : '';
      next(isAboutEncoding(error) ? notSdp() : error);
    });
  };
}

/** Without its parameters: `application/sdp; charset=utf-8` is SDP. */
function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

function isAboutEncoding(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'encoding.unsupported';
}
