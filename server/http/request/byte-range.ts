import type { Request } from 'express';
import { ApiError } from '../../errors.js';
import type { ByteRange } from '../../recording/storage/recording-storage.js';

/** The answer with a file, or with the range of it that is asked for. To be set when its first byte is there. */
export interface FileAnswer {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  /** What to send. */
  readonly range: ByteRange;
}

/**
 * What a request for a file is answered with. The file must be one that never changes at its address.
 * @param bytes of the whole file
 * @throws {ApiError} 416 `range_unsatisfiable`
 */
export function fileAnswer(req: Request, bytes: number): FileAnswer {
  const tag = `"${bytes}"`;
  const asked = rangeOf(req, bytes, tag);
  if (asked === 'unsatisfiable') {
    throw new ApiError(416, 'range_unsatisfiable', `The file has ${bytes} bytes: ask for a range of these`, {
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${bytes}` },
    });
  }
  const range = asked ?? { from: 0, to: bytes - 1 };
  const { from, to } = range;
  const headers = { 'accept-ranges': 'bytes', etag: tag, 'content-length': String(to - from + 1) };
  if (!asked) return { status: 200, headers, range };
  return { status: 206, headers: { ...headers, 'content-range': `bytes ${from}-${to}/${bytes}` }, range };
}

/** The first range that is asked for. Undefined: the whole file. */
function rangeOf(req: Request, bytes: number, tag: string): ByteRange | 'unsatisfiable' | undefined {
  const condition = req.get('if-range');
  if (condition !== undefined && condition !== tag) return undefined;
  const ranges = req.range(bytes);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || !ranges[0]) return undefined;
  const [{ start: from, end: to }] = ranges;
  return { from, to };
}
