import { viewerLink, type ViewerAddress } from './address.js';

/** For sites that take a frame and no script. */
export function iframeCode(origin: string, address: ViewerAddress): string {
  const link = attribute(viewerLink(origin, address));
  return `<iframe src="${link}" allow="autoplay; fullscreen" allowfullscreen width="640" height="360"></iframe>`;
}

/** For pages that can hold a script tag. */
export function tagCode(origin: string, { accountId, streamName, token }: ViewerAddress): string {
  const attributes = Object.entries({ 'account-id': accountId, 'stream-name': streamName, token })
    .filter(([, value]) => value)
    .map(([name, value]) => ` ${name}="${attribute(value)}"`);
  return `<script type="module" src="${attribute(origin)}/streamgate.js"></script>\n<stream-viewer controls${attributes.join('')}></stream-viewer>`;
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
