import { readBroadcasterAddress, withTokenHidden, type BroadcasterAddress } from '../address.js';

const keyOf = (streamName: string): string => `streamgate-publish-token:${streamName}`;

/**
 * Reads the address of this page, and removes the token from it and from the history: people share their screens, and a
 * person who can read a publish token can broadcast. `sessionStorage` keeps the token, so that the page can be
 * reloaded.
 */
export function readPageAddress(): BroadcasterAddress | undefined {
  const url = new URL(location.href);
  const address = readBroadcasterAddress(url);
  const clean = withTokenHidden(url, '');
  if (clean !== url.href) history.replaceState(history.state, '', clean);
  return address && { ...address, token: storedToken(address) };
}

/** Stores the token of the address. Without one, returns the token that is stored for this stream. */
function storedToken({ streamName, token }: BroadcasterAddress): string {
  try {
    if (token) sessionStorage.setItem(keyOf(streamName), token);
    return token || (sessionStorage.getItem(keyOf(streamName)) ?? '');
  } catch {
    // In frames, or with strict browser settings, every access to the storage throws. Then a reload loses the token.
    return token;
  }
}
