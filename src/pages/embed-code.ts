import { iframeMarkup } from '../elements/broadcaster/share/share-panel.js';
import { viewerLink, type ViewerAddress } from './address.js';
import type { PinnedFile } from './pinned-file.js';

/** The markup for sites that allow frames but no scripts. */
export function iframeCode(origin: string, address: ViewerAddress): string {
  return iframeMarkup(viewerLink(origin, address));
}

/**
 * The markup for pages that allow scripts.
 *
 * @param pinned the file of one version. Absent: the current version of the server.
 */
export function tagCode(
  origin: string,
  { accountId, streamName, token }: ViewerAddress,
  { path, integrity }: Partial<PinnedFile> = {},
): string {
  const script = attributesOf({
    type: 'module',
    src: `${origin}${path ?? '/streamgate.js'}`,
    integrity,
    crossorigin: integrity && 'anonymous',
  });
  const viewer = attributesOf({ 'account-id': accountId, 'stream-name': streamName, token });
  return `<script${script}></script>\n<stream-viewer controls autoplay${viewer}></stream-viewer>`;
}

/** The attributes that have a value, as markup. */
function attributesOf(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value)
    .map(([name, value]) => ` ${name}="${escaped(value!)}"`)
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
