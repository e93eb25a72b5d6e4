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
  getHeaderExtensionsToNegotiate(): { readonly uri: string; direction: string }[];
  setHeaderExtensionsToNegotiate(extensions: readonly object[]): void;
}

/**
 * Chrome does not offer these by itself: the time of capture (abs-capture-time), and to viewers the dependency descriptor.
 * Without the descriptor they show no spatial layers of AV1.
 */
function offerExtensions(transceiver: RTCRtpTransceiver & Partial<WithHeaderExtensions>, uris: RegExp): void {
  const extensions = transceiver.getHeaderExtensionsToNegotiate?.();
  if (!extensions) return;
  for (const extension of extensions) if (uris.test(extension.uri)) extension.direction = 'sendrecv';
  transceiver.setHeaderExtensionsToNegotiate!(extensions);
}

/** A connection that receives one track of each of these kinds. */
export function viewerPeerConnection(kinds: readonly string[]): RTCPeerConnection {
  const peer = newPeer();
  for (const kind of kinds) offerExtensions(peer.addTransceiver(kind, { direction: 'recvonly' }), /depend|capture/);
  return peer;
}

/** Makes `media` contain only the tracks of these kinds. A player waits for ever for a track that receives nothing. */
export function syncTracks(peer: RTCPeerConnection, media: MediaStream, kinds: readonly string[]): void {
  for (const { track } of peer.getReceivers()) {
    if (kinds.includes(track.kind)) media.addTrack(track);
    else media.removeTrack(track);
  }
}

/** Adds the field of WebRTC SVC 4.1 that the DOM library of TypeScript lacks. */
interface ScalableEncoding extends RTCRtpEncodingParameters {
  scalabilityMode?: string;
}

/**
 * Has the encoder make temporal layers, so that the server can send fewer frames of a single size to slow viewers. Does
 * nothing before a codec is negotiated, and for H.264, whose packets do not name their layer.
 */
export function sendTemporalLayers(sender: Pick<RTCRtpSender, 'getParameters' | 'setParameters'>): void {
  const parameters = sender.getParameters();
  // Firefox ignores the mode. Its older versions have no `codecs`.
  if (!/vp|av1/i.test(`${parameters.codecs?.[0]?.mimeType}`)) return;
  for (const encoding of parameters.encodings as ScalableEncoding[]) encoding.scalabilityMode = 'L1T3';
  // A browser that refuses the mode goes on with the one that it has.
  sender.setParameters(parameters).catch(() => {});
}

/** A connection that sends every track of `media`. */
export function publisherPeerConnection(
  media: MediaStream,
  encodings: (video: MediaStreamTrack) => object[],
): RTCPeerConnection {
  const peer = newPeer();
  for (const track of media.getTracks()) {
    const transceiver = peer.addTransceiver(track, {
      direction: 'sendonly',
      streams: [media],
      sendEncodings: track.kind === 'video' ? encodings(track) : [],
    });
    offerExtensions(transceiver, /capture/);
  }
  // The codec is known as soon as the answer is applied.
  peer.onsignalingstatechange = () => peer.getSenders().forEach(sendTemporalLayers);
  return peer;
}

/**
 * Requests two audio channels. Without `stereo=1` in the receiver's SDP, browsers send Opus in mono (RFC 7587 6.1).
 */
export function withStereo(sdp: string): string {
  return sdp.replace(/^(a=rtpmap:(\d+) opus\/[^]*?^a=fmtp:\2 (?!.*stereo=).*)$/im, '$1;stereo=1');
}
