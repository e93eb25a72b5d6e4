import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import { recordingMediaQuery, recordingPath } from '../../../src/wire/management/recording.js';
import { ApiError } from '../../errors.js';
import type { RecordingLibrary, RecordingMedia } from '../../recording/recording-library.js';
import type { ByteRange } from '../../recording/storage/recording-storage.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { recordingMediaEndpoints } from '../endpoints/recording-endpoints.js';
import { parse } from '../request/parse.js';

/** `/api/recordings/{recordingId}/media`: the file, for everybody who has a link. */
export function recordingMediaRoutes(library: Pick<RecordingLibrary, 'open'>): Router {
  return endpointRouter(recordingMediaEndpoints, {
    media: [
      async (req, res) => {
        const { recordingId } = parse(recordingPath, req.params);
        const { expires, download, signature } = parse(recordingMediaQuery, req.query);
        const isDownload = download !== undefined;
        const media = await library.open({ recordingId, expires: Number(expires), isDownload }, signature);
        res.set({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
        const url = isDownload ? await media.downloadUrl() : undefined;
        if (url) return res.redirect(302, url);
        await send(media, isDownload, { req, res });
      },
    ],
  });
}

async function send(
  media: RecordingMedia,
  isDownload: boolean,
  { req, res }: { readonly req: Request; readonly res: Response },
): Promise<void> {
  const { bytes, contentType, fileName } = media;
  // A file never changes, and another recording has another address.
  const tag = `"${bytes}"`;
  res.set({
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${fileName}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: tag,
  });
  const range = rangeOf(req, bytes, tag);
  if (range === 'unsatisfiable') {
    res.set('content-range', `bytes */${bytes}`);
    throw new ApiError(416, 'range_unsatisfiable', `The file has ${bytes} bytes: ask for a range of these`);
  }
  const { from, to } = range ?? { from: 0, to: bytes - 1 };
  if (range) res.status(206).set('content-range', `bytes ${from}-${to}/${bytes}`);
  res.set('content-length', String(to - from + 1));
  if (req.method === 'HEAD') return void res.end();
  const body = await media.read({ from, to });
  // Players close the connection when they seek: nobody is left to tell.
  await pipeline(body, res).catch(() => res.destroy());
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
