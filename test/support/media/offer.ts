import type { TrackKind, VideoCodec } from '../../../server/media/engine/media-track.js';

export interface OfferParts {
  readonly direction?: 'sendonly' | 'recvonly' | 'sendrecv' | 'inactive';
  readonly kinds?: readonly TrackKind[];
  /** In the order of the offer. */
  readonly videoCodecs?: readonly VideoCodec[];
  readonly payloadTypes?: Partial<Record<VideoCodec | 'opus', number>>;
  readonly ice?: { readonly usernameFragment: string; readonly password: string; readonly fingerprint: string };
  /** The SSRCs that a publisher declares. */
  readonly ssrcs?: Partial<Record<TrackKind, number>>;
  /** A publisher’s simulcast by rid, smallest first. */
  readonly rids?: readonly string[];
  /** A publisher’s simulcast by SSRC, as the SDK writes it. The RTX SSRC is the next number. */
  readonly simulcastSsrcs?: readonly number[];
  /** Whether to offer `rtx`, with the next payload type. For Chromium’s payload types only. */
  readonly retransmissions?: boolean;
  /** Further `a=extmap` lines of every m-line, by id. */
  readonly extensions?: Readonly<Record<number, string>>;
  /** Whether to offer redundancy for Opus, with payload type 63. */
  readonly redundancy?: boolean;
  /** Whether to offer NACK for Opus. */
  readonly audioNack?: boolean;
  /** Of `a=fmtp` of Opus. Default: what Chromium offers. */
  readonly opusParameters?: string;
  /** Feedback on losses of video in `a=rtcp-fb`. Default: what browsers offer. */
  readonly lossFeedback?: readonly ('ccm fir' | 'nack' | 'nack pli')[];
  /** Congestion feedback in `a=rtcp-fb`. */
  readonly congestionFeedback?: readonly ('transport-cc' | 'goog-remb')[];
}

/** Chromium’s payload types. */
export const PAYLOAD_TYPES: Readonly<Record<VideoCodec | 'opus', number>> = {
  opus: 111,
  vp8: 96,
  h264: 108,
  vp9: 98,
  av1: 45,
};
export const REDUNDANCY = 63;
/** Firefox’s payload types. */
export const FIREFOX_PAYLOAD_TYPES = { opus: 109, vp8: 120, h264: 126, vp9: 121, av1: 99 };

const ENCODINGS = { opus: 'opus/48000/2', vp8: 'VP8/90000', h264: 'H264/90000', vp9: 'VP9/90000', av1: 'AV1/90000' };
const PARAMETERS: Partial<Record<VideoCodec | 'opus', string>> = {
  opus: 'minptime=10;useinbandfec=1',
  h264: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  vp9: 'profile-id=0',
  av1: 'level-idx=5;profile=0;tier=0',
};
const LOSS_FEEDBACK = ['ccm fir', 'nack', 'nack pli'] as const;
const NOBODY = {
  usernameFragment: 'abcd',
  password: 'abcdefghijklmnopqrstuvwx',
  fingerprint: `sha-256 ${'AB:'.repeat(31)}AB`,
};

/** An offer as browsers write it, by default of a viewer. */
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
    const again = parts.retransmissions && kind === 'video' ? numbered.map(({ number }) => number) : [];
    const opus = numbered[0]!.number;
    const redundant = kind === 'audio' && parts.redundancy ? [REDUNDANCY] : [];
    const payloads = [...numbered.map(({ number }) => number), ...redundant, ...again.map((number) => number + 1)];
    const ssrc = parts.ssrcs?.[kind];
    lines.push(
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloads.join(' ')}`,
      'c=IN IP4 0.0.0.0',
      'a=rtcp:9 IN IP4 0.0.0.0',
      `a=ice-ufrag:${ice.usernameFragment}`,
      `a=ice-pwd:${ice.password}`,
      'a=ice-options:trickle',
      `a=fingerprint:${ice.fingerprint}`,
      'a=setup:actpass',
      `a=mid:${mid}`,
      'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
      ...Object.entries(parts.extensions ?? {}).map(([id, uri]) => `a=extmap:${id} ${uri}`),
      `a=${direction}`,
      'a=rtcp-mux',
      'a=rtcp-rsize',
      ...numbered.map(({ codec, number }) => `a=rtpmap:${number} ${ENCODINGS[codec]}`),
      ...numbered
        .filter(({ codec }) => PARAMETERS[codec])
        .map(
          ({ codec, number }) => `a=fmtp:${number} ${(codec === 'opus' && parts.opusParameters) || PARAMETERS[codec]}`,
        ),
      ...redundant.flatMap((red) => [`a=rtpmap:${red} red/48000/2`, `a=fmtp:${red} ${opus}/${opus}`]),
      ...numbered.flatMap(({ number }) =>
        [...(parts.congestionFeedback ?? []), ...lossFeedbackOf(kind, parts)].map(
          (feedback) => `a=rtcp-fb:${number} ${feedback}`,
        ),
      ),
      ...again.flatMap((number) => [`a=rtpmap:${number + 1} rtx/90000`, `a=fmtp:${number + 1} apt=${number}`]),
      ...(ssrc === undefined ? [] : [`a=ssrc:${ssrc} cname:camera`]),
      ...(kind === 'video' ? simulcastLines(parts) : []),
    );
  });
  return `${lines.join('\r\n')}\r\n`;
}

function lossFeedbackOf(kind: TrackKind, { lossFeedback = LOSS_FEEDBACK, audioNack = false }: OfferParts) {
  if (kind === 'video') return lossFeedback;
  return audioNack ? ['nack'] : [];
}

export const RID_EXTENSION = 10;
export const REPAIRED_RID_EXTENSION = 11;

function simulcastLines({ rids = [], simulcastSsrcs = [] }: OfferParts): string[] {
  const lines: string[] = [];
  if (rids.length) {
    lines.push(`a=extmap:${RID_EXTENSION} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`);
    lines.push(`a=extmap:${REPAIRED_RID_EXTENSION} urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id`);
    lines.push(...rids.map((rid) => `a=rid:${rid} send`), `a=simulcast:send ${rids.join(';')}`);
  }
  for (const ssrc of simulcastSsrcs) {
    lines.push(
      `a=ssrc-group:FID ${ssrc} ${ssrc + 1}`,
      `a=ssrc:${ssrc} cname:camera`,
      `a=ssrc:${ssrc + 1} cname:camera`,
    );
  }
  if (simulcastSsrcs.length) lines.push(`a=ssrc-group:SIM ${simulcastSsrcs.join(' ')}`);
  return lines;
}
