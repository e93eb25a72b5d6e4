import { StreamError } from '../errors.js';

function newPeer(): RTCPeerConnection {
  if (!globalThis.RTCPeerConnection) {
    throw new StreamError('webrtc_missing', 'No WebRTC');
  }
  // With a pool, the browser gathers ICE candidates while the offer is created and answered.
  return new RTCPeerConnection({ bundlePolicy: 'max-bundle', iceCandidatePoolSize: 1 });
}

/** WebRTC Extensions: not in the DOM library of TypeScript, and not in every browser. */
interface WithHeaderExtensions {
  getHeaderExtensionsToNegotiate(): readonly { readonly uri: string; readonly direction: string }[];
  setHeaderExtensionsToNegotiate(extensions: readonly object[]): void;
}

/**
 * Chrome does not offer the dependency descriptor to viewers by itself. Without it they show no spatial layers of AV1.
 */
function offerDescriptor(transceiver: RTCRtpTransceiver & Partial<WithHeaderExtensions>): void {
  transceiver.setHeaderExtensionsToNegotiate?.(
    transceiver.getHeaderExtensionsToNegotiate!().map((extension) =>
      /depend/.test(extension.uri) ? { uri: extension.uri, direction: 'sendrecv' } : extension,
    ),
  );
}

/** A connection that receives one track of each of these kinds. */
export function viewerPeerConnection(kinds: readonly string[]): RTCPeerConnection {
  const peer = newPeer();
  for (const kind of kinds) offerDescriptor(peer.addTransceiver(kind, { direction: 'recvonly' }));
  return peer;
}

/** Makes `media` contain only the tracks of these kinds. A player waits for ever for a track that receives nothing. */
export function syncTracks(peer: RTCPeerConnection, media: MediaStream, kinds: readonly string[]): void {
  for (const { track } of peer.getReceivers()) {
    if (kinds.includes(track.kind)) media.addTrack(track);
    else media.removeTrack(track);
  }
}

/** A connection that sends every track of `media`. */
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
 * Requests two audio channels. Without `stereo=1` in the receiver's SDP, browsers send Opus in mono (RFC 7587 6.1).
 */
export function withStereo(sdp: string): string {
  return sdp.replace(/^(a=rtpmap:(\d+) opus\/[^]*?^a=fmtp:\2 (?!.*stereo=).*)$/im, '$1;stereo=1');
}
