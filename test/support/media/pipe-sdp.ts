/**
 * SDP with one m-line: libdatachannel then passes on every packet.
 * @param transport its lines, such as `a=ice-ufrag:…`
 */
export function pipeSdp(transport: Iterable<string>): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:96 VP8/90000',
    ...new Set(transport),
    '',
  ].join('\r\n');
}
