import { tokenOf, withTokenHidden } from '../wire/viewer-address.js';

export { readViewerAddress, viewerLink, withTokenHidden, type ViewerAddress } from '../wire/viewer-address.js';

export interface BroadcasterAddress {
  readonly streamName: string;
  readonly token: string;
}

/** Undefined without `streamName=NAME`. */
export function readBroadcasterAddress(url: URL): BroadcasterAddress | undefined {
  const streamName = url.searchParams.get('streamName');
  return streamName ? { streamName, token: tokenOf(url) } : undefined;
}

export function broadcasterLink(origin: string, { streamName, token }: BroadcasterAddress): string {
  const url = new URL('/broadcaster', origin);
  url.searchParams.set('streamName', streamName);
  return withTokenHidden(url, token);
}
