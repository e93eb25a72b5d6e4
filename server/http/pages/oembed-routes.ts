import type { Request, Router } from 'express';
import { playerSize, type OembedQuery } from '../../../src/wire/oembed.js';
import { readViewerAddress, viewerLink, type ViewerAddress } from '../../../src/wire/viewer-address.js';
import { readImageSize } from '../../accounts/theme/image-size.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import type { Admission } from '../../admission/admission.js';
import { ApiError, NotFoundError } from '../../errors.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { oembedEndpoints } from '../endpoints/oembed-endpoint.js';
import type { RequestTurn } from '../request/request-turn.js';
import type { StillFile, StillReader } from '../stills/still-reader.js';
import { escapedHtml } from './escaped-html.js';
import { originOf } from './origin-of.js';

const PROVIDER = 'Streamgate';
/** Anybody may ask, and a new picture costs the broadcaster a keyframe. */
const STILL_MAX_AGE_MS = 10_000;
/** How long sites may keep an answer with a picture, which is gone when the stream has ended. */
const CACHE_AGE_S = 60;

export interface OembedOptions {
  readonly publicUrl: string | undefined;
  readonly themes: Pick<ThemeService, 'shown'>;
  readonly admission: Pick<Admission, 'shownToGuests'>;
  readonly streams: Pick<StreamRegistry, 'firstSourceOf'>;
  readonly stills: StillReader;
  readonly turn: RequestTurn;
}

/** `GET /oembed`: the code of a frame for a viewer link of this server. */
export function oembedRoutes(options: OembedOptions): Router {
  const { publicUrl, themes, turn } = options;
  return endpointRouter(oembedEndpoints, {
    async oembed({ query, req }) {
      await turn(req);
      const origin = originOf(req, publicUrl);
      const address = viewerAddressOf(query.url, origin);
      if (!address) throw new NotFoundError('link_unknown', 'This is not a viewer link of this server');
      const { name } = await themes.shown(address.accountId);
      const { width, height } = playerSize(query);
      const src = viewerLink(origin, { ...address, token: '' });
      return {
        version: '1.0' as const,
        type: 'video' as const,
        title: address.streamName,
        ...(name !== null && { author_name: name }),
        provider_name: PROVIDER,
        provider_url: origin,
        html: `<iframe src="${escapedHtml(src)}" title="${escapedHtml(address.streamName)}" allow="autoplay; fullscreen; picture-in-picture" width="${width}" height="${height}" style="max-width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0"></iframe>`,
        width,
        height,
        ...(await thumbnailOf(options, origin, address, query)),
      };
    },
  });
}

/** The present picture, if everybody may see it. Undefined also if it is larger than `maxwidth` or `maxheight`. */
async function thumbnailOf(
  { admission, streams, stills }: OembedOptions,
  origin: string,
  { accountId, streamName }: ViewerAddress,
  { maxwidth = Infinity, maxheight = Infinity }: OembedQuery,
) {
  const streamId = streamIdOf(accountId, streamName);
  const sourceId = admission.shownToGuests(accountId, streamName).live ? streams.firstSourceOf(streamId) : undefined;
  if (sourceId === undefined) return undefined;
  const still = await stillImage((format) =>
    format === 'jpeg'
      ? stills.getJpeg(streamId, sourceId, STILL_MAX_AGE_MS).then((bytes) => bytes && { type: 'image/jpeg', bytes })
      : stills.get(streamId, sourceId, STILL_MAX_AGE_MS),
  );
  const size = still && readImageSize(still.type, still.bytes);
  if (!size || size.width > maxwidth || size.height > maxheight) return undefined;
  const path = [accountId, ...streamName.split('/')].map(encodeURIComponent).join('/');
  return {
    thumbnail_url: `${origin}/api/still/${path}${still.type === 'image/jpeg' ? '?format=jpeg' : ''}`,
    thumbnail_width: size.width,
    thumbnail_height: size.height,
    cache_age: CACHE_AGE_S,
  };
}

type Image = StillFile & { readonly type: 'image/jpeg' | 'image/webp' };

/** As JPEG, which every site shows, or else as it is, if that is an image. A picture that cannot be had is none. */
async function stillImage(
  read: (format: 'jpeg' | undefined) => Promise<StillFile | undefined>,
): Promise<Image | undefined> {
  for (const format of ['jpeg', undefined] as const) {
    try {
      const still = await read(format);
      return still && isImage(still) ? still : undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'jpeg_unavailable') return undefined;
    }
  }
  return undefined;
}

const isImage = (still: StillFile): still is Image => still.type === 'image/jpeg' || still.type === 'image/webp';

/**
 * The value of the Link header of the hosted viewer, by which sites find the answer of oEmbed.
 * @param link of the viewer, without a token
 */
export function oembedLink(origin: string, link: string): string {
  const target = new URL('/oembed', origin);
  target.searchParams.set('url', link);
  return `<${target.href}>; rel="alternate"; type="application/json+oembed"`;
}

/** The stream that the URL of a viewer page names. Undefined: none. */
export function requestedViewer(req: Request, origin: string): ViewerAddress | undefined {
  return viewerAddressOf(new URL(req.originalUrl, origin).href, origin);
}

function viewerAddressOf(link: string, origin: string): ViewerAddress | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  return url?.origin === origin && url.pathname === '/viewer' ? readViewerAddress(url) : undefined;
}
