import { UnreachableError, type StreamError } from '../errors.js';
import { onResume } from './reconnect-policy.js';

/** Shorter interruptions end by themselves, such as those by lost consent checks (RFC 7675). */
const GAP_MS = 1_000;
/** The limit for the server's answer, and again for the new path to connect. A new session takes hardly longer. */
const RENEW_TIMEOUT_MS = 5_000;

export interface MediaPathOptions {
  /** Called once, when media can flow for the first time. */
  readonly onConnected: () => void;
  /** Called when the media path failed and could not be renewed. */
  readonly onLost: (error: StreamError) => void;
  /** Opens another path for the same media. Rejects if that is impossible. */
  readonly renew: () => Promise<void>;
}

/** Watches the media path of a connection until `signal` aborts. Renews a path that was connected before. */
export function watchMediaPath(
  peer: RTCPeerConnection,
  signal: AbortSignal,
  { onConnected, onLost, renew }: MediaPathOptions,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasConnected = false;
  let isRenewing = false;
  const lost = (): void => {
    if (!signal.aborted) onLost(new UnreachableError('Media is lost', 'media_lost'));
  };
  const isConnected = (): boolean => peer.connectionState === 'connected';
  const startTimeout = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isRenewing = false;
      if (!isConnected()) lost();
    }, RENEW_TIMEOUT_MS);
  };
  const renewPath = (): void => {
    if (isRenewing || !wasConnected) return;
    isRenewing = true;
    startTimeout();
    renew().then(() => signal.aborted || startTimeout(), lost);
  };

  peer.addEventListener('connectionstatechange', () => {
    if (signal.aborted) return;
    if (isConnected() && !wasConnected) {
      wasConnected = true;
      onConnected();
    }
    // The old path fails while it is renewed. Only the state after the timeout counts.
    if (isRenewing) return;
    clearTimeout(timer);
    if (peer.connectionState === 'failed') (wasConnected ? renewPath : lost)();
    if (peer.connectionState === 'disconnected') timer = setTimeout(renewPath, GAP_MS);
  });
  signal.addEventListener('abort', () => clearTimeout(timer));
  // A change of the network needs another path. A browser may take 10 s to notice that the old path has failed.
  onResume(signal, (type) => (type === 'online' || !isConnected()) && renewPath());
  networkInformation()?.addEventListener('change', () => !isConnected() && renewPath(), { signal });
}

/** Chromium only. It dispatches `change` also for new estimates, so the network may be the same. */
function networkInformation(): EventTarget | undefined {
  return (globalThis.navigator as (Navigator & { connection?: EventTarget }) | undefined)?.connection;
}
