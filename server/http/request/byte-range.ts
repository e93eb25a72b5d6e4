import type { Request, Response } from 'express';
import { ApiError } from '../../errors.js';
import type { ByteRange } from '../../recording/storage/recording-storage.js';

/**
 * Begins the answer with a file, or with the range of it that is asked for: sets status and headers. The file must be one
 * that never changes at its address.
 * @param bytes of the whole file
 * @returns what to send
 * @throws {ApiError} 416 `range_unsatisfiable`
 */
export function beginFile(req: Request, res: Response, bytes: number): ByteRange {
  const tag = `"${bytes}"`;
  res.set({ 'accept-ranges': 'bytes', etag: tag });
  const range = rangeOf(req, bytes, tag);
  if (range === 'unsatisfiable') {
    res.set('content-range', `bytes */${bytes}`);
    throw new ApiError(416, 'range_unsatisfiable', `The file has ${bytes} bytes: ask for a range of these`);
  }
  const { from, to } = range ?? { from: 0, to: bytes - 1 };
  if (range) res.status(206).set('content-range', `bytes ${from}-${to}/${bytes}`);
  res.set('content-length', String(to - from + 1));
  return { from, to };
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
