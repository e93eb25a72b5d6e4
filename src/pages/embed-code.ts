import { iframeMarkup } from '../elements/broadcaster/share/share-panel.js';
import { viewerLink, type ViewerPlace } from './address.js';
import type { PinnedFile } from './pinned-file.js';

/** Stands in a code where the server of a website puts the token of a visitor. The texts of the dashboard name it. */
export const TOKEN_PLACE = 'TOKEN';

/** The markup for sites that allow frames but no scripts. */
export function iframeCode(origin: string, place: ViewerPlace): string {
  return iframeMarkup(viewerLink(origin, place));
}

/**
 * The markup for pages that allow scripts.
 *
 * @param pinned the file of one version. Absent: the current version of the server.
 */
export function tagCode(
  origin: string,
  { accountId, streamName, token, dvr }: ViewerPlace,
  { path, integrity }: Partial<PinnedFile> = {},
): string {
  const script = attributesOf({
    type: 'module',
    src: `${origin}${path ?? '/streamgate.js'}`,
    integrity,
    crossorigin: integrity && 'anonymous',
  });
  const viewer = attributesOf({ 'account-id': accountId, 'stream-name': streamName, token });
  return `<script${script}></script>\n<stream-viewer controls autoplay${dvr ? ' dvr' : ''}${viewer}></stream-viewer>`;
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
