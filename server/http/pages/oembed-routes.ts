import type { Request, Router } from 'express';
import { playerSize } from '../../../src/wire/oembed.js';
import { readViewerAddress, viewerLink, type ViewerAddress } from '../../../src/wire/viewer-address.js';
import { NotFoundError } from '../../errors.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { oembedEndpoints } from '../endpoints/oembed-endpoint.js';
import { escapedHtml } from './escaped-html.js';
import { originOf } from './origin-of.js';

const PROVIDER = 'Streamgate';

/** `GET /oembed`: the code of a frame for a viewer link of this server. */
export function oembedRoutes(publicUrl: string | undefined, themes: Pick<ThemeService, 'shown'>): Router {
  return endpointRouter(oembedEndpoints, {
    async oembed({ query, req }) {
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
      };
    },
  });
}

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
