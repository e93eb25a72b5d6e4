import { StreamError, UnreachableError } from './errors.js';

/** A short gap heals by itself (a lost packet of consent checks, a change of network); a longer one does not. */
const DISCONNECTED_FOR_MS = 2_000;

function newPeer(): RTCPeerConnection {
  if (!globalThis.RTCPeerConnection) {
    throw new StreamError('webrtc_missing', 'This browser cannot play or send live video (no WebRTC)');
  }
  return new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
}

/** A peer that receives one video and one audio track. */
export function viewerPeer(): RTCPeerConnection {
  const peer = newPeer();
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
  return peer;
}

/** Puts into `media` the tracks of the kinds that flow, and no other: a player waits for ever on one that stays silent. */
export function keepKinds(peer: RTCPeerConnection, media: MediaStream, kinds: readonly string[]): void {
  for (const { track } of peer.getReceivers()) {
    if (kinds.includes(track.kind)) media.addTrack(track);
    else media.removeTrack(track);
  }
}

/** A peer that sends every track of `media`. */
export function publisherPeer(media: MediaStream): RTCPeerConnection {
  const peer = newPeer();
  for (const track of media.getTracks()) {
    peer.addTransceiver(track, { direction: 'sendonly', streams: [media] });
  }
  return peer;
}

/** Asks for two audio channels: browsers fold Opus to one where the receiver's SDP does not say otherwise (RFC 7587 6.1). */
export function withStereo(sdp: string): string {
  const opus = /^a=rtpmap:(\d+) opus\//im.exec(sdp)?.[1];
  return opus ? sdp.replace(new RegExp(`^(a=fmtp:${opus} (?!.*stereo=).*)$`, 'm'), '$1;stereo=1') : sdp;
}

export interface PeerWatch {
  /** Media can flow, for the first time. */
  readonly onConnected: () => void;
  /** The media path failed or stayed away too long. */
  readonly onLost: (error: StreamError) => void;
}

/** Watches a peer's connection until `signal` aborts. */
export function watchPeer(peer: RTCPeerConnection, signal: AbortSignal, { onConnected, onLost }: PeerWatch): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasConnected = false;
  const lost = (): void => onLost(new UnreachableError('The media path is lost', 'media_lost'));
  peer.addEventListener('connectionstatechange', () => {
    clearTimeout(timer);
    if (signal.aborted) return;
    if (peer.connectionState === 'failed') lost();
    if (peer.connectionState === 'disconnected') timer = setTimeout(lost, DISCONNECTED_FOR_MS);
    if (peer.connectionState === 'connected' && !wasConnected) {
      wasConnected = true;
      onConnected();
    }
  });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
