import { UnreachableError, type StreamError } from '../errors.js';
import { onResume } from './resume-signals.js';

/** A short gap heals by itself (a lost packet of consent checks); a longer one asks for another path. */
const GAP_MS = 1_000;
/** For the service to answer, and then for the new path to stand; a whole new session takes hardly more. */
const RENEW_WITHIN_MS = 5_000;

export interface MediaPathOptions {
  /** Media can flow, for the first time. */
  readonly onConnected: () => void;
  /** The media path failed, and no other could be had. */
  readonly onLost: (error: StreamError) => void;
  /** Opens another path for the same media. Rejects when that cannot be. */
  readonly renew: () => Promise<void>;
}

/** Watches a peer's connection until `signal` aborts, and mends it once it stood. */
export function watchMediaPath(
  peer: RTCPeerConnection,
  signal: AbortSignal,
  { onConnected, onLost, renew }: MediaPathOptions,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasConnected = false;
  let isMending = false;
  const lost = (): void => {
    if (!signal.aborted) onLost(new UnreachableError('The media path is lost', 'media_lost'));
  };
  const isUp = (): boolean => peer.connectionState === 'connected';
  const judgeLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isMending = false;
      if (!isUp()) lost();
    }, RENEW_WITHIN_MS);
  };
  const mend = (): void => {
    if (isMending || !wasConnected) return;
    isMending = true;
    judgeLater();
    renew().then(() => signal.aborted || judgeLater(), lost);
  };

  peer.addEventListener('connectionstatechange', () => {
    if (signal.aborted) return;
    if (isUp() && !wasConnected) {
      wasConnected = true;
      onConnected();
    }
    // While it is being mended, the old path fails: only what is true in the end counts.
    if (isMending) return;
    clearTimeout(timer);
    if (peer.connectionState === 'failed') (wasConnected ? mend : lost)();
    if (peer.connectionState === 'disconnected') timer = setTimeout(mend, GAP_MS);
  });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  // Back on a network the path is another one, and the browser may take 10 s to see that the old one is gone.
  onResume(signal, (why) => (why === 'online' || !isUp()) && mend());
  networkChanges()?.addEventListener('change', () => !isUp() && mend(), { signal });
}

/** Chromium only; it says `change` for estimates too, so it proves nothing by itself. */
function networkChanges(): EventTarget | undefined {
  return (globalThis.navigator as (Navigator & { connection?: EventTarget }) | undefined)?.connection;
}
