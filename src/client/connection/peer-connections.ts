import { StreamError } from '../errors.js';

function newPeer(): RTCPeerConnection {
  if (!globalThis.RTCPeerConnection) {
    throw new StreamError('webrtc_missing', 'This browser has no WebRTC');
  }
  // With a pool, its addresses are found out while the offer is made and answered, not after.
  return new RTCPeerConnection({ bundlePolicy: 'max-bundle', iceCandidatePoolSize: 1 });
}

/** A peer that receives one video and one audio track. */
export function viewerPeerConnection(): RTCPeerConnection {
  const peer = newPeer();
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
  return peer;
}

/** Puts into `media` the tracks of the kinds that flow, and no other: a player waits for ever on one that stays silent. */
export function syncTracks(peer: RTCPeerConnection, media: MediaStream, kinds: readonly string[]): void {
  for (const { track } of peer.getReceivers()) {
    if (kinds.includes(track.kind)) media.addTrack(track);
    else media.removeTrack(track);
  }
}

/** A peer that sends every track of `media`. */
export function publisherPeerConnection(
  media: MediaStream,
  encodings: (video: MediaStreamTrack) => RTCRtpEncodingParameters[],
): RTCPeerConnection {
  const peer = newPeer();
  for (const track of media.getTracks()) {
    const sendEncodings = track.kind === 'video' ? encodings(track) : [];
    peer.addTransceiver(track, { direction: 'sendonly', streams: [media], sendEncodings });
  }
  return peer;
}

/**
 * Asks for two audio channels. Without `stereo=1` in the receiver's SDP, browsers fold Opus to one (RFC 7587 6.1).
 */
export function withStereo(sdp: string): string {
  return sdp.replace(/^(a=rtpmap:(\d+) opus\/[^]*?^a=fmtp:\2 (?!.*stereo=).*)$/im, '$1;stereo=1');
}
