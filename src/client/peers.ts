import { StreamError, UnreachableError } from './errors.js';

const CONNECT_WITHIN_MS = 15_000;
/** A short gap heals by itself (a lost packet of consent checks, a change of network); a longer one does not. */
const DISCONNECTED_FOR_MS = 2_000;

function newPeer(): RTCPeerConnection {
  if (!globalThis.RTCPeerConnection) {
    throw new StreamError('webrtc_missing', 'This browser cannot play or send live video (no WebRTC)');
  }
  return new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
}

/** A peer that receives one video and one audio track. `media` holds both from the start. */
export function viewerPeer(): { peer: RTCPeerConnection; media: MediaStream } {
  const peer = newPeer();
  const tracks = ['video', 'audio'].map((kind) => peer.addTransceiver(kind, { direction: 'recvonly' }).receiver.track);
  return { peer, media: new MediaStream(tracks) };
}

/** Leaves in `media` the tracks of the kinds that flow: a player waits for ever on a track that stays silent. */
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

/** Resolves when media can flow. @throws {UnreachableError} `media_lost`: no way through in time */
export function peerConnected(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new UnreachableError('Media cannot get through from here; a firewall may block UDP', { code: 'media_lost' }),
        ),
      CONNECT_WITHIN_MS,
    );
    const look = (): void => {
      if (peer.connectionState !== 'connected' && peer.connectionState !== 'closed') return;
      clearTimeout(timer);
      resolve();
    };
    peer.addEventListener('connectionstatechange', look);
    look();
  });
}

/** Calls `onLost` once, when the media path failed or stayed away too long. */
export function watchPeer(peer: RTCPeerConnection, signal: AbortSignal, onLost: (error: StreamError) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lost = (): void => onLost(new UnreachableError('The media path is lost', { code: 'media_lost' }));
  peer.addEventListener(
    'connectionstatechange',
    () => {
      clearTimeout(timer);
      if (peer.connectionState === 'failed') lost();
      if (peer.connectionState === 'disconnected') timer = setTimeout(lost, DISCONNECTED_FOR_MS);
    },
    { signal },
  );
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
