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

/** Undefined without `streamName=NAME`. */
export function readBroadcasterAddress(url: URL): BroadcasterAddress | undefined {
  const streamName = url.searchParams.get('streamName');
  return streamName ? { streamName, token: tokenOf(url) } : undefined;
}
