import { iframeMarkup } from '../elements/broadcaster/share/share-panel.js';
import { viewerLink, type ViewerAddress } from './address.js';
import type { PinnedFile } from './pinned-file.js';

/** For sites that take a frame and no script. */
export function iframeCode(origin: string, address: ViewerAddress): string {
  return iframeMarkup(viewerLink(origin, address));
}

/**
 * For pages that can hold a script tag.
 * @param pinned holds the page to this very file; without, it follows the server's upgrades
 */
export function tagCode(
  origin: string,
  { accountId, streamName, token }: ViewerAddress,
  { path, integrity }: Partial<PinnedFile> = {},
): string {
  const script = written({
    type: 'module',
    src: `${origin}${path ?? '/streamgate.js'}`,
    integrity,
    crossorigin: integrity && 'anonymous',
  });
  const viewer = written({ 'account-id': accountId, 'stream-name': streamName, token });
  return `<script${script}></script>\n<stream-viewer controls autoplay${viewer}></stream-viewer>`;
}

/** Those that have a value. */
function written(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value)
    .map(([name, value]) => ` ${name}="${escaped(value!)}"`)
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
