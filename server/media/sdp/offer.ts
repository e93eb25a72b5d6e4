import { parse, type MediaDescription, type SessionDescription } from 'sdp-transform';
import { MediaError } from '../engine/media-error.js';
import type { TrackKind } from '../engine/media-track.js';
import { readFormat, type Format } from './codecs.js';
import { KNOWN_EXTENSIONS } from './extension-uris.js';

/**
 * The parts of an SDP offer (RFC 8829 section 5.2) that the server uses. They are validated: strings are safe to write
 * into SDP.
 */
export interface Offer {
  readonly ice: IceParameters;
  /** One for each m-line, in order. */
  readonly media: readonly OfferedMedia[];
}

/** The peer's ICE and DTLS parameters. All media uses one transport (BUNDLE). */
export interface IceParameters {
  readonly usernameFragment: string;
  readonly password: string;
  /** `<hash> <colon-separated hex>` as in `a=fingerprint`. */
  readonly fingerprint: string;
  /** The peer's role in the DTLS handshake. */
  readonly setup: 'actpass' | 'active' | 'passive';
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface OfferedMedia {
  /** The first word after `m=`. */
  readonly type: string;
  readonly kind: TrackKind | undefined;
  readonly protocol: string;
  readonly mid: string;
  readonly direction: Direction;
  /** The known formats, in the order of the offer. */
  readonly formats: readonly Format[];
  /** All payload types. A rejected m-line repeats one. */
  readonly payloads: readonly string[];
  /** Whether it can use the bundled transport. */
  readonly usable: boolean;
  readonly reducedSizeRtcp: boolean;
  /** Whether header extensions may have the two-byte form, which long ones need (RFC 8285 section 6). */
  readonly allowsMixedExtensions: boolean;
  /** Ids of the known header extensions, by URI. */
  readonly extensions: ReadonlyMap<string, number>;
  /** Of these, those that are offered in one direction only, as the m-line is. */
  readonly oneWayExtensions: ReadonlyMap<string, 'sendonly' | 'recvonly'>;
  /** The RTX payload type (RFC 4588) by media payload type. */
  readonly retransmissions: ReadonlyMap<number, number>;
  /** The payload type of redundancy for audio (RFC 2198, `red`) by that of Opus. */
  readonly redundancies: ReadonlyMap<number, number>;
  /** The feedback on losses that `a=rtcp-fb` offers, by payload type. */
  readonly lossFeedback: ReadonlyMap<number, readonly LossFeedback[]>;
  /** The congestion feedback that `a=rtcp-fb` offers, by payload type. */
  readonly congestionFeedback: ReadonlyMap<number, readonly CongestionFeedback[]>;
  /** One encoding, or those of a simulcast. Smallest first. */
  readonly encodings: readonly DeclaredEncoding[];
}

/** RFC 5104 section 7.1 and RFC 4585 section 4.2. */
export const LOSS_FEEDBACK = ['ccm fir', 'nack', 'nack pli'] as const;
export type LossFeedback = (typeof LOSS_FEEDBACK)[number];

export const CONGESTION_FEEDBACK = ['transport-cc', 'goog-remb'] as const;
export type CongestionFeedback = (typeof CONGESTION_FEEDBACK)[number];

/** An encoding of an m-line, as declared in the offer. */
export interface DeclaredEncoding {
  /** RFC 8852. Absent: identified by SSRC. */
  readonly rid: string | undefined;
  readonly ssrc: number | undefined;
  /** SSRC of RTX. */
  readonly retransmissionSsrc: number | undefined;
}

const MAX_OFFER_LENGTH = 64 * 1024;
const MAX_MEDIA = 64;
/** Of a simulcast. Browsers send three. */
const MAX_ENCODINGS = 4;
const RID = /^[A-Za-z0-9_-]{1,32}$/;
const TOKEN = /^[\x21-\x7e]{1,64}$/;
const FINGERPRINT = /^sha-(?:1|224|256|384|512) [0-9a-f]{2}(?::[0-9a-f]{2}){19,63}$/i;

/** @throws {MediaError} `invalid_sdp`, with the reason */
export function readOffer(sdp: string): Offer {
  if (sdp.length > MAX_OFFER_LENGTH) throw invalid(`it is longer than ${MAX_OFFER_LENGTH} characters`);
  const session = parseSdp(sdp);
  if (!session.media.length) throw invalid('it has no m-line');
  if (session.media.length > MAX_MEDIA) throw invalid(`it has more than ${MAX_MEDIA} m-lines`);

  // The parser converts values that look like numbers, so String() is needed.
  const group = session.groups?.find(({ type }) => type === 'BUNDLE');
  const bundle = group && String(group.mids).split(' ');
  const mids = session.media.map((media, index) => String(media.mid ?? index));
  if (mids.some((mid) => !TOKEN.test(mid))) throw invalid('a mid is malformed');
  if (new Set(mids).size !== mids.length) throw invalid('two m-lines have the same mid');
  const media = session.media.map((media, index) => {
    const bundled = bundle ? bundle.includes(mids[index]!) : index === 0;
    return readMedia(media, session, mids[index]!, bundled);
  });
  const carrying = session.media[Math.max(0, mids.indexOf(bundle?.[0] ?? mids[0]!))]!;
  return { ice: readIce(carrying, session), media };
}

function parseSdp(sdp: string): SessionDescription {
  try {
    const session = parse(sdp);
    if (sdp.startsWith('v=0')) return session;
  } catch (cause) {
    throw invalid('it cannot be read', cause);
  }
  throw invalid('it does not begin with v=0');
}

function readIce(media: MediaDescription, session: SessionDescription): IceParameters {
  const usernameFragment = String(media.iceUfrag ?? session.iceUfrag ?? '');
  const password = String(media.icePwd ?? session.icePwd ?? '');
  const { type, hash } = media.fingerprint ?? session.fingerprint ?? { type: '', hash: '' };
  const fingerprint = `${type} ${hash}`;
  const setup = media.setup ?? session.setup ?? 'actpass';
  // Minimum lengths: RFC 8839 section 5.4.
  if (!/^[\x21-\x7e]{4,256}$/.test(usernameFragment)) throw invalid('it has no ICE user fragment');
  if (!/^[\x21-\x7e]{22,256}$/.test(password)) throw invalid('it has no ICE password');
  if (!FINGERPRINT.test(fingerprint)) throw invalid('it has no DTLS fingerprint');
  if (setup !== 'actpass' && setup !== 'active' && setup !== 'passive') throw invalid('its setup role is unknown');
  return { usernameFragment, password, fingerprint, setup };
}

function readMedia(media: MediaDescription, session: SessionDescription, mid: string, bundled: boolean): OfferedMedia {
  if (!TOKEN.test(media.type ?? '') || !TOKEN.test(media.protocol ?? '')) throw invalid('an m-line is malformed');
  const kind = media.type === 'audio' || media.type === 'video' ? media.type : undefined;
  const payloads = String(media.payloads ?? '')
    .split(' ')
    .filter((payload) => TOKEN.test(payload));
  const formats = kind ? withDecoder(readFormats(media, payloads), session) : [];
  const direction = media.direction ?? session.direction ?? 'sendrecv';
  return {
    type: media.type,
    kind,
    protocol: media.protocol,
    mid,
    direction,
    formats,
    payloads,
    usable: bundled && formats.length > 0 && isSecureRtp(media.protocol) && (media.port !== 0 || isBundleOnly(media)),
    reducedSizeRtcp: media.rtcpRsize !== undefined,
    allowsMixedExtensions: (media.extmapAllowMixed ?? session.extmapAllowMixed) !== undefined,
    extensions: readExtensions(media, direction),
    oneWayExtensions: readOneWayExtensions(media),
    retransmissions: readRetransmissions(media, formats),
    redundancies: kind === 'audio' ? readRedundancies(media, formats) : new Map(),
    lossFeedback: readFeedback(media, formats, LOSS_FEEDBACK),
    congestionFeedback: readFeedback(media, formats, CONGESTION_FEEDBACK),
    encodings: readEncodings(media),
  };
}

function readFormats(media: MediaDescription, payloads: readonly string[]): Format[] {
  return payloads.flatMap((payload) => {
    const payloadType = Number(payload);
    const map = media.rtp.find((map) => map.payload === payloadType);
    if (!map || !/^\d{1,3}$/.test(payload) || !isPayloadType(payloadType)) return [];
    const encoding = [map.codec, map.rate, map.encoding].filter((part) => part !== undefined).join('/');
    const parameters = media.fmtp.find((line) => line.payload === payloadType)?.config ?? '';
    return readFormat(encoding, payloadType, String(parameters)) ?? [];
  });
}

/**
 * Firefox offers no H.264 above baseline, but decodes with OpenH264, which reads profile high too. Delete this when
 * Firefox offers profile high.
 */
function withDecoder(formats: Format[], { origin }: SessionDescription): Format[] {
  if (!String(origin?.username).startsWith('mozilla')) return formats;
  return formats.map((format) => (format.codec === 'h264' ? { ...format, decodedProfile: '6400' } : format));
}

/** With rtcp-mux, 64 to 95 would be read as RTCP (RFC 5761 section 4). */
const isPayloadType = (value: number): boolean => value <= 127 && (value < 64 || value >= 96);

const isSecureRtp = (protocol: string): boolean => /^(?:UDP|TCP)\/TLS\/RTP\/SAVPF?$|^RTP\/SAVPF$/.test(protocol);

/** A bundle-only m-line has port 0 and is not rejected (RFC 8843 section 6). */
const isBundleOnly = (media: MediaDescription): boolean => media.bundleOnly !== undefined;

function readExtensions(media: MediaDescription, direction: Direction): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { uri, value, direction: way = 'sendrecv' } of media.ext ?? []) {
    if (way !== 'sendrecv' && (way !== direction || direction === 'inactive')) continue;
    // 0 and 15 are reserved (RFC 8285 section 4.2); higher ids need the two-byte form.
    const isFree = ![...ids.values()].includes(value);
    if (KNOWN_EXTENSIONS.has(uri) && value > 0 && value < 15 && isFree && !ids.has(uri)) ids.set(uri, value);
  }
  return ids;
}

/** RFC 8285 section 6: `a=extmap:8/sendonly`. */
function readOneWayExtensions(media: MediaDescription): Map<string, 'sendonly' | 'recvonly'> {
  const ways = new Map<string, 'sendonly' | 'recvonly'>();
  for (const { uri, direction } of media.ext ?? []) {
    if (direction === 'sendonly' || direction === 'recvonly') ways.set(uri, direction);
  }
  return ways;
}

function readRetransmissions(media: MediaDescription, formats: readonly Format[]): Map<number, number> {
  const rtxPayloadTypes = new Map<number, number>();
  for (const { payload, codec } of media.rtp) {
    if (codec.toLowerCase() !== 'rtx' || !isPayloadType(payload)) continue;
    const line = media.fmtp.find((line) => line.payload === payload)?.config ?? '';
    const original = Number(/(?:^|;)\s*apt=(\d+)/.exec(String(line))?.[1]);
    const isTaken = formats.some(({ payloadType }) => payloadType === payload);
    if (!isTaken && formats.some(({ payloadType }) => payloadType === original)) rtxPayloadTypes.set(original, payload);
  }
  return rtxPayloadTypes;
}

/** Those that carry nothing but one format: `a=fmtp:63 111/111`. */
function readRedundancies(media: MediaDescription, formats: readonly Format[]): Map<number, number> {
  const redundancies = new Map<number, number>();
  for (const { payload, codec, rate, encoding } of media.rtp) {
    if (codec.toLowerCase() !== 'red' || rate !== 48_000 || Number(encoding) !== 2 || !isPayloadType(payload)) continue;
    const carried = String(media.fmtp.find((line) => line.payload === payload)?.config ?? '').split('/');
    const format = formats.find(({ payloadType }) => carried.every((each) => each === String(payloadType)));
    const isTaken = formats.some(({ payloadType }) => payloadType === payload);
    if (format && !isTaken) redundancies.set(format.payloadType, payload);
  }
  return redundancies;
}

/** Which of these kinds of feedback each format has. */
function readFeedback<Feedback extends string>(
  { rtcpFb = [] }: MediaDescription,
  formats: readonly Format[],
  known: readonly Feedback[],
): Map<number, readonly Feedback[]> {
  const ofAll = '*';
  const feedbackOf = (payloadType: number): readonly Feedback[] => {
    const applies = rtcpFb.filter(({ payload }) => String(payload) === ofAll || Number(payload) === payloadType);
    const offered = new Set(applies.map(({ type, subtype }) => [type, subtype].filter(Boolean).join(' ')));
    return known.filter((feedback) => offered.has(feedback));
  };
  return new Map(formats.map(({ payloadType }) => [payloadType, feedbackOf(payloadType)]));
}

/**
 * A simulcast by rid, a simulcast by SSRC group, or one encoding. The order of rids is taken for the order of sizes, as
 * browsers have it by default (WebRTC section 5.2 scales the first encoding down most).
 */
function readEncodings(media: MediaDescription): DeclaredEncoding[] {
  const rids = simulcastRids(media);
  if (rids.length) return rids.map((rid) => ({ rid, ssrc: undefined, retransmissionSsrc: undefined }));
  const groups = (media.ssrcGroups ?? []).map(({ semantics, ssrcs }) => ({
    semantics,
    ssrcs: String(ssrcs).split(' ').map(Number).filter(isSsrc),
  }));
  const simulcast = groups.find(({ semantics }) => semantics === 'SIM')?.ssrcs ?? [];
  const only = groups.find(({ semantics }) => semantics === 'FID')?.ssrcs[0] ?? Number(media.ssrcs?.[0]?.id);
  const main = simulcast.length ? [...new Set(simulcast)] : [only].filter(isSsrc);
  if (!main.length) return [{ rid: undefined, ssrc: undefined, retransmissionSsrc: undefined }];
  return main.slice(0, MAX_ENCODINGS).map((ssrc) => {
    const pair = groups.find(({ semantics, ssrcs }) => semantics === 'FID' && ssrcs[0] === ssrc)?.ssrcs;
    return { rid: undefined, ssrc, retransmissionSsrc: pair?.[1] };
  });
}

/** The rids that are sent (RFC 8853 section 5.1); of alternatives, the first. */
function simulcastRids({ simulcast, rids }: MediaDescription): string[] {
  const list = simulcast?.dir1 === 'send' ? simulcast.list1 : simulcast?.dir2 === 'send' ? simulcast.list2 : '';
  const declared = new Set(rids?.filter(({ direction }) => direction === 'send').map(({ id }) => String(id)));
  const sent = String(list ?? '')
    .split(';')
    .map((alternatives) => alternatives.split(',')[0]!.replace(/^~/, ''))
    .filter((rid) => RID.test(rid) && declared.has(rid));
  return [...new Set(sent)].slice(0, MAX_ENCODINGS);
}

const isSsrc = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= 0xffffffff;

const invalid = (what: string, cause?: unknown): MediaError =>
  new MediaError('invalid_sdp', `the SDP offer cannot be used: ${what}`, { cause });
