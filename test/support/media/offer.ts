import type { TrackKind, VideoCodec } from '../../../server/media/media-engine.js';

export interface OfferParts {
  readonly direction?: 'sendonly' | 'recvonly' | 'sendrecv' | 'inactive';
  readonly kinds?: readonly TrackKind[];
  /** In the order of the offer. */
  readonly videoCodecs?: readonly VideoCodec[];
  readonly payloadTypes?: Partial<Record<VideoCodec | 'opus', number>>;
  readonly ice?: { readonly usernameFragment: string; readonly password: string; readonly fingerprint: string };
  /** What a publisher says it sends with. */
  readonly ssrcs?: Partial<Record<TrackKind, number>>;
}

/** What Chromium numbers, as far as it matters. */
export const PAYLOAD_TYPES: Readonly<Record<VideoCodec | 'opus', number>> = {
  opus: 111,
  vp8: 96,
  h264: 108,
  vp9: 98,
  av1: 45,
};
/** What Firefox numbers. */
export const FIREFOX_PAYLOAD_TYPES = { opus: 109, vp8: 120, h264: 126, vp9: 121, av1: 99 };

const ENCODINGS = { opus: 'opus/48000/2', vp8: 'VP8/90000', h264: 'H264/90000', vp9: 'VP9/90000', av1: 'AV1/90000' };
const PARAMETERS: Partial<Record<VideoCodec | 'opus', string>> = {
  opus: 'minptime=10;useinbandfec=1',
  h264: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  vp9: 'profile-id=0',
  av1: 'level-idx=5;profile=0;tier=0',
};
const NOBODY = {
  usernameFragment: 'abcd',
  password: 'abcdefghijklmnopqrstuvwx',
  fingerprint: `sha-256 ${'AB:'.repeat(31)}AB`,
};

/** An offer as a browser makes it, of a viewer unless told otherwise. */
export function sdpOffer(parts: OfferParts = {}): string {
  const { kinds = ['audio', 'video'], direction = 'recvonly', ice = NOBODY } = parts;
  const lines = [
    'v=0',
    'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${kinds.map((_, index) => index).join(' ')}`,
    'a=extmap-allow-mixed',
  ];
  kinds.forEach((kind, mid) => {
    const codecs =
      kind === 'audio' ? (['opus'] as const) : (parts.videoCodecs ?? (['vp8', 'h264', 'vp9', 'av1'] as const));
    const numbered = codecs.map((codec) => ({ codec, number: parts.payloadTypes?.[codec] ?? PAYLOAD_TYPES[codec] }));
    const ssrc = parts.ssrcs?.[kind];
    lines.push(
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${numbered.map(({ number }) => number).join(' ')}`,
      'c=IN IP4 0.0.0.0',
      'a=rtcp:9 IN IP4 0.0.0.0',
      `a=ice-ufrag:${ice.usernameFragment}`,
      `a=ice-pwd:${ice.password}`,
      'a=ice-options:trickle',
      `a=fingerprint:${ice.fingerprint}`,
      'a=setup:actpass',
      `a=mid:${mid}`,
      'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
      `a=${direction}`,
      'a=rtcp-mux',
      'a=rtcp-rsize',
      ...numbered.map(({ codec, number }) => `a=rtpmap:${number} ${ENCODINGS[codec]}`),
      ...numbered
        .filter(({ codec }) => PARAMETERS[codec])
        .map(({ codec, number }) => `a=fmtp:${number} ${PARAMETERS[codec]}`),
      ...(ssrc === undefined ? [] : [`a=ssrc:${ssrc} cname:camera`]),
    );
  });
  return `${lines.join('\r\n')}\r\n`;
}
