import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { MAX_BODY_BYTES } from '../middleware/json-body.js';

/** `text/plain` is how browsers send what needs no preflight (Fetch standard, 2.2.2). */
const JSON_IN_UTF8 = /^(?:application\/json|text\/plain)(?: *; *charset=utf-8)?$/i;

/** Leaves out a byte order mark, and reads what is no UTF-8 as U+FFFD, as the parser of Express does. */
const utf8 = new TextDecoder();

/** Whether the body is JSON as clients send it: in UTF-8, not compressed, and as long as told, which we take. */
export function hasPlainJsonBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = Number(headers['content-length']);
  return (
    JSON_IN_UTF8.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    length > 0 &&
    length <= MAX_BODY_BYTES
  );
}

/**
 * Reads the body of a request that `hasPlainJson`; Node hands out no more of it than was told. What Express's parser
 * does besides was more than an eighth of the CPU of a viewer's call. A body that breaks off calls nobody: its caller is
 * gone.
 */
export function readPlainJsonBody(req: Readable, done: (body: object) => void, failed: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    let body: object;
    try {
      body = objectIn(utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    } catch (cause) {
      failed(new UnparsableBodyError('not a JSON object or list', { cause }));
      return;
    }
    done(body);
  });
}

/** @throws {SyntaxError} */
function objectIn(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null) return value;
  throw new SyntaxError('neither an object nor a list');
}

/** By `status` and `type` the error handler knows it, as it knows that of Express's parser. */
class UnparsableBodyError extends Error {
  override name = 'UnparsableBodyError';
  readonly status = 400;
  readonly type = 'entity.parse.failed';
}
