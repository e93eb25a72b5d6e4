import { ENCODINGS, codecKind, type Format } from './codecs.js';
import type { OfferedMedia } from './offer.js';

/** Our end of the transport, as an answer tells it. */
export interface LocalTransport {
  readonly usernameFragment: string;
  readonly password: string;
  readonly fingerprint: string;
  readonly setup: 'active' | 'passive';
  /** `candidate:…`, all of them. */
  readonly candidates: readonly string[];
}

/** What an m-line of the offer gets. `rejected`: port 0, and not on the transport. */
export type AnsweredMedia =
  | { readonly offered: OfferedMedia; readonly direction: 'rejected' }
  | { readonly offered: OfferedMedia; readonly direction: 'inactive'; readonly formats: readonly Format[] }
  | {
      readonly offered: OfferedMedia;
      readonly direction: 'recvonly';
      readonly formats: readonly Format[];
      readonly startBitrate: number;
    }
  | {
      readonly offered: OfferedMedia;
      readonly direction: 'sendonly';
      readonly formats: readonly Format[];
      readonly source: SentSource;
    };

/** What a receiver may know of what it is sent: tracks of the same `cname` play in step, of the same `stream` belong together. */
export interface SentSource {
  readonly ssrc: number;
  readonly cname: string;
  readonly stream: string;
  readonly track: string;
}

/** The whole answer (RFC 8829 section 5.3), one m-line for each of the offer's, in its order. */
export function writeAnswer(
  sessionId: string,
  media: readonly AnsweredMedia[],
  transport: LocalTransport,
  version = 1,
): string {
  const bundle = media.filter(({ direction }) => direction !== 'rejected').map(({ offered }) => offered.mid);
  const lines = [
    'v=0',
    `o=- ${sessionId} ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${bundle.join(' ')}`,
    'a=msid-semantic: WMS *',
    ...media.flatMap((answered) => [...mediaLines(answered, transport)]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function* mediaLines(answered: AnsweredMedia, transport: LocalTransport): Generator<string> {
  const { offered, direction } = answered;
  const { type, protocol, mid } = offered;
  if (direction === 'rejected') {
    yield `m=${type} 0 ${protocol} ${offered.payloads[0] ?? '0'}`;
    yield 'c=IN IP4 0.0.0.0';
    yield `a=mid:${mid}`;
    yield 'a=inactive';
    return;
  }
  yield `m=${type} 9 ${protocol} ${answered.formats.map((format) => format.payloadType).join(' ')}`;
  yield 'c=IN IP4 0.0.0.0';
  yield 'a=rtcp:9 IN IP4 0.0.0.0';
  yield `a=ice-ufrag:${transport.usernameFragment}`;
  yield `a=ice-pwd:${transport.password}`;
  yield `a=fingerprint:${transport.fingerprint}`;
  yield `a=setup:${transport.setup}`;
  yield `a=mid:${mid}`;
  if (offered.midExtension !== undefined) yield `a=extmap:${offered.midExtension} urn:ietf:params:rtp-hdrext:sdes:mid`;
  yield `a=${direction}`;
  if (answered.direction === 'sendonly') yield `a=msid:${answered.source.stream} ${answered.source.track}`;
  yield 'a=rtcp-mux';
  if (offered.reducedSizeRtcp) yield 'a=rtcp-rsize';
  for (const format of answered.formats) yield* formatLines(format, answered);
  if (answered.direction === 'sendonly') {
    const { ssrc, cname, stream, track } = answered.source;
    yield `a=ssrc:${ssrc} cname:${cname}`;
    yield `a=ssrc:${ssrc} msid:${stream} ${track}`;
  }
  for (const candidate of transport.candidates) yield `a=${candidate}`;
  yield 'a=end-of-candidates';
}

function* formatLines(format: Format, answered: AnsweredMedia): Generator<string> {
  const { codec, payloadType } = format;
  yield `a=rtpmap:${payloadType} ${ENCODINGS[codec]}`;
  if (codecKind(codec) === 'video') {
    // Towards a publisher the bitrate is told by REMB: no transport-wide feedback is sent.
    if (answered.direction === 'recvonly') yield `a=rtcp-fb:${payloadType} goog-remb`;
    yield `a=rtcp-fb:${payloadType} ccm fir`;
    yield `a=rtcp-fb:${payloadType} nack`;
    yield `a=rtcp-fb:${payloadType} nack pli`;
  }
  const parameters = [format.parameters];
  if (answered.direction === 'recvonly' && codecKind(codec) === 'video') {
    parameters.push(`x-google-start-bitrate=${answered.startBitrate / 1000}`);
  }
  const written = parameters.filter(Boolean).join(';');
  if (written) yield `a=fmtp:${payloadType} ${written}`;
}
