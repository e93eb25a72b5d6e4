import { readBroadcasterAddress, withTokenHidden, type BroadcasterAddress } from '../address.js';

const at = (streamName: string): string => `streamgate-publish-token:${streamName}`;

/**
 * Reads the address of this page and takes the token out of it, and out of the entry in the history. The person may share
 * their screen, and whoever can read a publish token can broadcast. This tab keeps the token until it is closed, so
 * that the page can be loaded again.
 */
export function readPageAddress(): BroadcasterAddress | undefined {
  const url = new URL(location.href);
  const address = readBroadcasterAddress(url);
  const clean = withTokenHidden(url, '');
  if (clean !== url.href) history.replaceState(history.state, '', clean);
  return address && { ...address, token: keep(address) };
}

/** The token of the address, or else the one that was kept for this stream. */
function keep({ streamName, token }: BroadcasterAddress): string {
  try {
    if (token) sessionStorage.setItem(at(streamName), token);
    return token || (sessionStorage.getItem(at(streamName)) ?? '');
  } catch {
    // In a frame, or with strict settings, every touch of the storage may throw: the token lasts as long as the page.
    return token;
  }
}
