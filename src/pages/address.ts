import { tokenOf, withTokenHidden } from '../wire/viewer-address.js';

export {
  readScheduledAddress,
  readViewerAddress,
  scheduledLink,
  viewerLink,
  withTokenHidden,
  type ViewerAddress,
} from '../wire/viewer-address.js';

export interface BroadcasterAddress {
  readonly streamName: string;
  readonly token: string;
}

/** Undefined without `streamName=NAME`. */
export function readBroadcasterAddress(url: URL): BroadcasterAddress | undefined {
  const streamName = url.searchParams.get('streamName');
  return streamName ? { streamName, token: tokenOf(url) } : undefined;
}

/** @param address with the account, whose theme the page then has */
export function broadcasterLink(
  origin: string,
  { accountId, streamName, token }: BroadcasterAddress & { readonly accountId: string },
): string {
  const url = new URL('/broadcaster', origin);
  url.searchParams.set('streamName', streamName);
  url.searchParams.set('accountId', accountId);
  return withTokenHidden(url, token);
}
