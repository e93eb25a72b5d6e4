import { clockRate, ENCODINGS, codecKind, type Format } from './codecs.js';
import type { CongestionFeedback, OfferedMedia } from './offer.js';
import { MID } from './extensions.js';

/** Our end of the transport, as an answer tells it. */
export interface LocalTransportParameters {
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
  | (Agreed & { readonly direction: 'recvonly'; readonly startBitrate: number; readonly rids: readonly string[] })
  | (Agreed & { readonly direction: 'sendonly'; readonly source: SentTrack });

interface Agreed {
  readonly offered: OfferedMedia;
  readonly formats: readonly Format[];
  /** Of those offered, by URI. */
  readonly extensions: readonly string[];
  /** By which the sender is told how much its network carries. */
  readonly congestionFeedback: CongestionFeedback | undefined;
}

/** What a receiver may know of what it is sent: tracks of the same `cname` play in step, of the same `stream` belong together. */
export interface SentTrack {
  readonly ssrc: number;
  /** Where it is sent again. Absent: as it was. */
  readonly retransmissionSsrc?: number | undefined;
  readonly cname: string;
  readonly stream: string;
  readonly track: string;
}

/** The whole answer (RFC 8829 section 5.3), one m-line for each of the offer's, in its order. */
export function writeAnswer(
  sessionId: string,
  media: readonly AnsweredMedia[],
  transport: LocalTransportParameters,
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

function* mediaLines(answered: AnsweredMedia, transport: LocalTransportParameters): Generator<string> {
  const { offered, direction } = answered;
  const { type, protocol, mid } = offered;
  if (direction === 'rejected') {
    yield `m=${type} 0 ${protocol} ${offered.payloads[0] ?? '0'}`;
    yield 'c=IN IP4 0.0.0.0';
    yield `a=mid:${mid}`;
    yield 'a=inactive';
    return;
  }
  const agreed = answered.direction === 'inactive' ? undefined : answered;
  const payloadTypes = answered.formats.flatMap((format) => [
    format.payloadType,
    ...retransmissionOf(format, answered),
  ]);
  yield `m=${type} 9 ${protocol} ${payloadTypes.join(' ')}`;
  yield 'c=IN IP4 0.0.0.0';
  yield 'a=rtcp:9 IN IP4 0.0.0.0';
  yield `a=ice-ufrag:${transport.usernameFragment}`;
  yield `a=ice-pwd:${transport.password}`;
  yield `a=fingerprint:${transport.fingerprint}`;
  yield `a=setup:${transport.setup}`;
  yield `a=mid:${mid}`;
  for (const uri of agreed?.extensions ?? [MID]) {
    if (offered.extensions.has(uri)) yield `a=extmap:${offered.extensions.get(uri)} ${uri}`;
  }
  yield `a=${direction}`;
  if (answered.direction === 'sendonly') yield `a=msid:${answered.source.stream} ${answered.source.track}`;
  yield 'a=rtcp-mux';
  if (offered.reducedSizeRtcp) yield 'a=rtcp-rsize';
  for (const format of answered.formats) yield* formatLines(format, answered);
  if (answered.direction === 'recvonly') yield* simulcastLines(answered.rids);
  if (answered.direction === 'sendonly') yield* sourceLines(answered.source);
  for (const candidate of transport.candidates) yield `a=${candidate}`;
  yield 'a=end-of-candidates';
}

function* simulcastLines(rids: readonly string[]): Generator<string> {
  if (!rids.length) return;
  for (const rid of rids) yield `a=rid:${rid} recv`;
  yield `a=simulcast:recv ${rids.join(';')}`;
}

function* sourceLines({ ssrc, retransmissionSsrc, cname, stream, track }: SentTrack): Generator<string> {
  if (retransmissionSsrc !== undefined) yield `a=ssrc-group:FID ${ssrc} ${retransmissionSsrc}`;
  for (const each of retransmissionSsrc === undefined ? [ssrc] : [ssrc, retransmissionSsrc]) {
    yield `a=ssrc:${each} cname:${cname}`;
    yield `a=ssrc:${each} msid:${stream} ${track}`;
  }
}

type AnsweredFormats = Exclude<AnsweredMedia, { direction: 'rejected' }>;

/** The payload type of what is sent again, where that has one of its own. */
function retransmissionOf({ payloadType }: Format, answered: AnsweredFormats): number[] {
  const wanted =
    answered.direction === 'recvonly' ||
    (answered.direction === 'sendonly' && answered.source.retransmissionSsrc !== undefined);
  const again = answered.offered.retransmissions.get(payloadType);
  return wanted && again !== undefined ? [again] : [];
}

function* formatLines(format: Format, answered: AnsweredFormats): Generator<string> {
  const { codec, payloadType } = format;
  yield `a=rtpmap:${payloadType} ${ENCODINGS[codec]}`;
  if (answered.direction !== 'inactive' && answered.congestionFeedback) {
    yield `a=rtcp-fb:${payloadType} ${answered.congestionFeedback}`;
  }
  if (codecKind(codec) === 'video') {
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
  for (const again of retransmissionOf(format, answered)) {
    yield `a=rtpmap:${again} rtx/${clockRate(codecKind(codec))}`;
    yield `a=fmtp:${again} apt=${payloadType}`;
  }
}
