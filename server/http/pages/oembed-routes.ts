import type { Request, Router } from 'express';
import { playerSize } from '../../../src/wire/oembed.js';
import { readViewerAddress, viewerLink, type ViewerAddress } from '../../../src/wire/viewer-address.js';
import { NotFoundError } from '../../errors.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { oembedEndpoints } from '../endpoints/oembed-endpoint.js';

const PROVIDER = 'Streamgate';

/** `GET /oembed`: the code of a frame for a viewer link of this server. */
export function oembedRoutes(publicUrl: string | undefined): Router {
  return endpointRouter(oembedEndpoints, {
    oembed({ query, req }) {
      const origin = originOf(req, publicUrl);
      const address = viewerAddressOf(query.url, origin);
      if (!address) throw new NotFoundError('link_unknown', 'This is not a viewer link of this server');
      const { width, height } = playerSize(query);
      const src = viewerLink(origin, { ...address, token: '' });
      return {
        version: '1.0' as const,
        type: 'video' as const,
        title: address.streamName,
        provider_name: PROVIDER,
        provider_url: origin,
        html: `<iframe src="${escaped(src)}" title="${escaped(address.streamName)}" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen width="${width}" height="${height}"></iframe>`,
        width,
        height,
      };
    },
  });
}

/** The value of the Link header of the hosted viewer, by which sites find the answer of oEmbed. Undefined without a stream. */
export function oembedLink(req: Request, publicUrl: string | undefined): string | undefined {
  const origin = originOf(req, publicUrl);
  const address = viewerAddressOf(new URL(req.originalUrl, origin).href, origin);
  if (!address) return undefined;
  const target = new URL('/oembed', origin);
  target.searchParams.set('url', viewerLink(origin, { ...address, token: '' }));
  return `<${target.href}>; rel="alternate"; type="application/json+oembed"`;
}

function viewerAddressOf(link: string, origin: string): ViewerAddress | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  return url?.origin === origin && url.pathname === '/viewer' ? readViewerAddress(url) : undefined;
}

/** The origin of this server for clients. */
function originOf(req: Request, publicUrl: string | undefined): string {
  const origin = publicUrl ?? `${req.protocol}://${req.get('host')}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
