import { tokenOf } from '../wire/viewer-address.js';

export { broadcasterLink } from '../wire/broadcaster-address.js';
export {
  readScheduledAddress,
  readViewerAddress,
  scheduledLink,
  viewerLink,
  withTokenHidden,
  type ViewerAddress,
  type ViewerPlace,
} from '../wire/viewer-address.js';

export interface BroadcasterAddress {
  readonly streamName: string;
  readonly token: string;
}

/** A link that differs from the present one only in its token does not load the page again. */
export function onOtherToken(use: (token: string) => void): void {
  window.addEventListener('hashchange', () => {
    const token = tokenOf(new URL(location.href));
    if (token) use(token);
  });
}

/** Undefined without `streamName=NAME`. */
export function readBroadcasterAddress(url: URL): BroadcasterAddress | undefined {
  const streamName = url.searchParams.get('streamName');
  return streamName ? { streamName, token: tokenOf(url) } : undefined;
}
