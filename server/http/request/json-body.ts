import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { json, type RequestHandler } from 'express';
import { hasTooMuchJson, parseJson, TooMuchJsonError } from '../../bounded-json.js';
import { contain } from '../../faults/contain.js';

/** The largest JSON body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Parses JSON bodies into `req.body`. error-handler.ts responds to the parser's errors.
 * @param types media types to accept, beside `application/json`
 */
export function jsonBody(types: readonly string[] = [], limit: number = MAX_BODY_BYTES): RequestHandler {
  return json({
    limit,
    type: ['application/json', ...types],
    verify(_req, _res, body, encoding) {
      // Bytes are enough to count in UTF-8. UTF-16 and UTF-32 have fewer values in the same bytes.
      const text = body.toString(encoding === 'utf-8' ? 'latin1' : 'utf16le');
      if (hasTooMuchJson(text)) throw new BodyError(TOO_MUCH);
    },
  });
}

/** Browsers send `text/plain` without a preflight (Fetch standard, 2.2.2). */
const JSON_IN_UTF8 = /^(?:application\/json|text\/plain)(?: *; *charset=utf-8)?$/i;

/** As Express's parser does, drops a byte order mark and decodes invalid UTF-8 as U+FFFD. */
const utf8 = new TextDecoder();

/** Whether the body is JSON in UTF-8, not compressed, with a Content-Length that is not too large. */
export function hasPlainJsonBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = Number(headers['content-length']);
  const { 'content-type': type = '' } = headers;
  return (
    (type === 'application/json' || JSON_IN_UTF8.test(type)) &&
    headers['content-encoding'] === undefined &&
    length > 0 &&
    length <= MAX_BODY_BYTES
  );
}

/**
 * Reads the body of a request for which `hasPlainJsonBody` is true. Node delivers no more bytes than Content-Length.
 * This avoids Express's parser, which takes more than an eighth of the CPU time of a viewer's call. If the body breaks
 * off, no callback is called, because the client is gone.
 */
export function readPlainJsonBody(
  req: Readable,
  onBody: (body: object) => void,
  onError: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on(
    'end',
    contain('http', () => {
      let body: object;
      try {
        body = parseObject(utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
      } catch (cause) {
        onError(new BodyError(cause instanceof TooMuchJsonError ? TOO_MUCH : 'entity.parse.failed', { cause }));
        return;
      }
      onBody(body);
    }),
  );
}

/** @throws {SyntaxError} */
function parseObject(text: string): object {
  const value: unknown = parseJson(text);
  if (typeof value === 'object' && value !== null) return value;
  throw new SyntaxError('neither an object nor a list');
}

/** The `type` of the error for a body with more values or levels than `parseJson` takes. */
export const TOO_MUCH = 'entity.too.much';

/** Has the `status` and `type` of an error of Express's parser, which the error handler reads. */
class BodyError extends Error {
  override name = 'BodyError';
  readonly status = 400;

  constructor(
    readonly type: 'entity.parse.failed' | typeof TOO_MUCH,
    options?: ErrorOptions,
  ) {
    super(type, options);
  }
}
