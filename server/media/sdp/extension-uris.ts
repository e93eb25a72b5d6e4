/** URIs of the header extensions (RFC 8285) that the server reads or writes, as in `a=extmap`. */
export const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid';
export const RID = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
export const REPAIRED_RID = 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id';
export const TRANSPORT_SEQUENCE = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
export const ABSOLUTE_SEND_TIME = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';
export const PLAYOUT_DELAY = 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay';
export const DEPENDENCY_DESCRIPTOR =
  'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension';
export const CAPTURE_TIME = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time';

export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  MID,
  RID,
  REPAIRED_RID,
  TRANSPORT_SEQUENCE,
  ABSOLUTE_SEND_TIME,
  PLAYOUT_DELAY,
  DEPENDENCY_DESCRIPTOR,
  CAPTURE_TIME,
]);
