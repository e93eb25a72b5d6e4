import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import { recordingMediaQuery, recordingPath } from '../../../src/wire/management/recording.js';
import type { RecordingLibrary, RecordingMedia } from '../../recording/recording-library.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { recordingMediaEndpoints } from '../endpoints/recording-endpoints.js';
import { fileAnswer } from '../request/byte-range.js';
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
  const { status, headers, range } = fileAnswer(req, bytes);
  const body = req.method === 'HEAD' ? undefined : await media.read(range);
  res.status(status).set({
    ...headers,
    'content-type': contentType,
    'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename="${fileName}"`,
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  if (!body) return void res.end();
  // Players close the connection when they seek: nobody is left to tell.
  await pipeline(body, res).catch(() => res.destroy());
}
