import { clockRate, ENCODINGS, codecKind, REDUNDANCY_ENCODING, type Format } from './codecs.js';
import type { CongestionFeedback, LossFeedback, OfferedMedia } from './offered-media.js';
import { opusFromPublisher, opusToViewer } from './opus-parameters.js';
import { MID } from './extension-uris.js';

/** The server's ICE and DTLS parameters, for the answer. */
export interface LocalTransportParameters {
  readonly usernameFragment: string;
  readonly password: string;
  readonly fingerprint: string;
  readonly setup: 'active' | 'passive';
  /** `candidate:…` */
  readonly candidates: readonly string[];
}

/** The answer to one m-line of the offer. `rejected`: port 0, and not bundled. */
export type AnsweredMedia =
  | { readonly offered: OfferedMedia; readonly direction: 'rejected' }
  | { readonly offered: OfferedMedia; readonly direction: 'inactive'; readonly formats: readonly Format[] }
  | (Agreed & {
      readonly direction: 'recvonly';
      readonly startBitrate: number;
      readonly rids: readonly string[];
      readonly isSimulcast: boolean;
    })
  | (Agreed & { readonly direction: 'sendonly'; readonly track: SentTrack });

interface Agreed {
  readonly offered: OfferedMedia;
  readonly formats: readonly Format[];
  /** URIs of offered extensions. */
  readonly extensions: readonly string[];
  /** How the receiver reports congestion. */
  readonly congestionFeedback: CongestionFeedback | undefined;
  /** Which of the offered feedback on losses is used. */
  readonly lossFeedback: readonly LossFeedback[];
  /** The payload type of redundancy for audio, if it is used. */
  readonly redundancy: number | undefined;
}

/**
 * A track that the server sends. Tracks with one `cname` play in sync; tracks with one `stream` are one MediaStream.
 */
export interface SentTrack {
  readonly ssrc: number;
  /** SSRC of RTX. Absent: packets are resent unchanged. */
  readonly retransmissionSsrc?: number | undefined;
  readonly cname: string;
  readonly stream: string;
  readonly track: string;
}

/** Writes the answer (RFC 8829 section 5.3), with one m-line for each of the offer, in its order. */
export function writeAnswer(
  sessionId: string,
  media: readonly AnsweredMedia[],
  transport: LocalTransportParameters,
  version = 1,
): string {
  const isBundled = ({ direction, offered }: AnsweredMedia) => direction !== 'rejected' && offered.isBundled;
  const bundle = media.filter(isBundled).map(({ offered }) => offered.mid);
  const lines = [
    'v=0',
    `o=- ${sessionId} ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    // A bundle that was not offered would be an error (RFC 9143 section 7.3).
    ...(bundle.length ? [`a=group:BUNDLE ${bundle.join(' ')}`] : []),
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
    ...rtxPayloadTypeOf(format, answered),
  ]);
  const redundancy = agreed?.redundancy;
  // Chrome sends redundancy if it is the first.
  if (redundancy !== undefined) payloadTypes.splice(direction === 'recvonly' ? 0 : 1, 0, redundancy);
  yield `m=${type} 9 ${protocol} ${payloadTypes.join(' ')}`;
  yield 'c=IN IP4 0.0.0.0';
  yield 'a=rtcp:9 IN IP4 0.0.0.0';
  yield `a=ice-ufrag:${transport.usernameFragment}`;
  yield `a=ice-pwd:${transport.password}`;
  yield `a=fingerprint:${transport.fingerprint}`;
  yield `a=setup:${transport.setup}`;
  yield `a=mid:${mid}`;
  if (offered.allowsMixedExtensions) yield 'a=extmap-allow-mixed';
  for (const uri of agreed?.extensions ?? [MID]) {
    const id = offered.extensions[uri];
    if (id === undefined) continue;
    const way = offered.oneWayExtensions[uri];
    const answeredWay = way === undefined ? '' : way === 'sendonly' ? '/recvonly' : '/sendonly';
    yield `a=extmap:${id}${answeredWay} ${uri}`;
  }
  yield `a=${direction}`;
  if (answered.direction === 'sendonly') yield `a=msid:${answered.track.stream} ${answered.track.track}`;
  yield 'a=rtcp-mux';
  if (offered.reducedSizeRtcp) yield 'a=rtcp-rsize';
  for (const format of answered.formats) yield* formatLines(format, answered);
  if (answered.direction === 'recvonly') yield* simulcastLines(answered.rids);
  if (answered.direction === 'sendonly') yield* trackLines(answered.track);
  for (const candidate of transport.candidates) yield `a=${candidate}`;
  yield 'a=end-of-candidates';
}

function* simulcastLines(rids: readonly string[]): Generator<string> {
  if (!rids.length) return;
  for (const rid of rids) yield `a=rid:${rid} recv`;
  yield `a=simulcast:recv ${rids.join(';')}`;
}

function* trackLines({ ssrc, retransmissionSsrc, cname, stream, track }: SentTrack): Generator<string> {
  if (retransmissionSsrc !== undefined) yield `a=ssrc-group:FID ${ssrc} ${retransmissionSsrc}`;
  for (const each of retransmissionSsrc === undefined ? [ssrc] : [ssrc, retransmissionSsrc]) {
    yield `a=ssrc:${each} cname:${cname}`;
    yield `a=ssrc:${each} msid:${stream} ${track}`;
  }
}

type AnsweredFormats = Exclude<AnsweredMedia, { direction: 'rejected' }>;

/** The RTX payload type, if there is one. */
function rtxPayloadTypeOf({ payloadType }: Format, answered: AnsweredFormats): number[] {
  const wanted =
    answered.direction === 'recvonly' ||
    (answered.direction === 'sendonly' && answered.track.retransmissionSsrc !== undefined);
  const rtx = answered.offered.retransmissions[payloadType];
  return wanted && rtx !== undefined ? [rtx] : [];
}

function parametersOf({ codec, parameters }: Format, { direction }: AnsweredFormats): string {
  if (codec !== 'opus' || direction === 'inactive') return parameters;
  return direction === 'recvonly' ? opusFromPublisher(parameters) : opusToViewer(parameters);
}

function* formatLines(format: Format, answered: AnsweredFormats): Generator<string> {
  const { codec, payloadType } = format;
  if (answered.direction === 'recvonly') yield* redundancyLines(format, answered);
  yield `a=rtpmap:${payloadType} ${ENCODINGS[codec]}`;
  if (answered.direction !== 'inactive') {
    const { congestionFeedback, lossFeedback } = answered;
    const offered = answered.offered.congestionFeedback[payloadType] ?? [];
    if (congestionFeedback && offered.includes(congestionFeedback))
      yield `a=rtcp-fb:${payloadType} ${congestionFeedback}`;
    for (const feedback of answered.offered.lossFeedback[payloadType] ?? []) {
      if (lossFeedback.includes(feedback)) yield `a=rtcp-fb:${payloadType} ${feedback}`;
    }
  }
  const parameters = [parametersOf(format, answered)];
  if (answered.direction === 'recvonly' && codecKind(codec) === 'video') {
    parameters.push(`x-google-start-bitrate=${answered.startBitrate / 1000}`);
    // Else Chrome answers a keyframe request for one encoding with keyframes of all.
    if (answered.isSimulcast) parameters.push('x-google-per-layer-pli=1');
  }
  const written = parameters.filter(Boolean).join(';');
  if (written) yield `a=fmtp:${payloadType} ${written}`;
  for (const rtx of rtxPayloadTypeOf(format, answered)) {
    yield `a=rtpmap:${rtx} rtx/${clockRate(codecKind(codec))}`;
    yield `a=fmtp:${rtx} apt=${payloadType}`;
  }
  if (answered.direction === 'sendonly') yield* redundancyLines(format, answered);
}

function* redundancyLines({ payloadType }: Format, { redundancy }: Agreed): Generator<string> {
  if (redundancy === undefined) return;
  yield `a=rtpmap:${redundancy} ${REDUNDANCY_ENCODING}`;
  yield `a=fmtp:${redundancy} ${payloadType}/${payloadType}`;
}
