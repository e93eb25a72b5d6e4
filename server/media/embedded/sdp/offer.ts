import { parse, type MediaDescription, type SessionDescription } from 'sdp-transform';
import { MediaError, type TrackKind } from '../../media-engine.js';
import { readFormat, type Format } from './codecs.js';
import { KNOWN_EXTENSIONS } from './extensions.js';

/** What we need to know of an SDP offer (RFC 8829 section 5.2), checked: every string in it is safe to write again. */
export interface Offer {
  readonly ice: IceParameters;
  /** One for each m-line, in order: an answer has as many. */
  readonly media: readonly OfferedMedia[];
}

/** How the peer proves who it is on the wire. One transport carries all: BUNDLE. */
export interface IceParameters {
  readonly usernameFragment: string;
  readonly password: string;
  /** `<hash> <colon-separated hex>` as in `a=fingerprint`. */
  readonly fingerprint: string;
  /** What the peer wants to be in the DTLS handshake. */
  readonly setup: 'actpass' | 'active' | 'passive';
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface OfferedMedia {
  /** As written after `m=`. */
  readonly type: string;
  readonly kind: TrackKind | undefined;
  readonly protocol: string;
  readonly mid: string;
  readonly direction: Direction;
  /** Of those offered, those we know, in the offer's order. */
  readonly formats: readonly Format[];
  /** All payload types: a rejected m-line repeats one. */
  readonly payloads: readonly string[];
  /** Whether it can run on the one transport. */
  readonly usable: boolean;
  readonly reducedSizeRtcp: boolean;
  /** The ids the offer gave to the header extensions that we know, by URI. */
  readonly extensions: ReadonlyMap<string, number>;
  /** By payload type, the one that the same has when it is sent again (RFC 4588). */
  readonly retransmissions: ReadonlyMap<number, number>;
  /** The ways of `a=rtcp-fb` to tell a sender how much its network carries. */
  readonly congestionFeedback: ReadonlySet<CongestionFeedback>;
  /** What the media will be sent as: one, or a simulcast. Smallest first. */
  readonly encodings: readonly DeclaredEncoding[];
}

export type CongestionFeedback = 'transport-cc' | 'goog-remb';

/** One encoding of what an m-line sends, as far as the offer tells it from others. */
export interface DeclaredEncoding {
  /** RFC 8852. Absent: told apart by SSRC. */
  readonly rid: string | undefined;
  readonly ssrc: number | undefined;
  /** Where it is sent again. */
  readonly retransmissionSsrc: number | undefined;
}

const LONGEST_OFFER = 64 * 1024;
const MOST_MEDIA = 64;
/** Of a simulcast; browsers send three. */
const MOST_ENCODINGS = 4;
const RID = /^[A-Za-z0-9_-]{1,32}$/;
const TOKEN = /^[\x21-\x7e]{1,64}$/;
const FINGERPRINT = /^sha-(?:1|224|256|384|512) [0-9a-f]{2}(?::[0-9a-f]{2}){19,63}$/i;

/** @throws {MediaError} `invalid_sdp`, saying what is wrong with it */
export function readOffer(sdp: string): Offer {
  if (sdp.length > LONGEST_OFFER) throw invalid(`it is longer than ${LONGEST_OFFER} characters`);
  const session = parseSdp(sdp);
  if (!session.media.length) throw invalid('it has no m-line');
  if (session.media.length > MOST_MEDIA) throw invalid(`it has more than ${MOST_MEDIA} m-lines`);

  // The parser makes a number of every value that looks like one: hence all the String().
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
  // RFC 8839 5.4 gives the least lengths.
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
  const formats = kind ? readFormats(media, payloads) : [];
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
    extensions: readExtensions(media),
    retransmissions: readRetransmissions(media, formats),
    congestionFeedback: readCongestionFeedback(media),
    encodings: readEncodings(media),
  };
}

function readFormats(media: MediaDescription, payloads: readonly string[]): Format[] {
  return payloads.flatMap((payload) => {
    const payloadType = Number(payload);
    const map = media.rtp.find((map) => map.payload === payloadType);
    // RFC 5761 section 4: with rtcp-mux 64 to 95 would read as RTCP.
    if (!map || !/^\d{1,3}$/.test(payload) || payloadType > 127 || (payloadType >= 64 && payloadType < 96)) return [];
    const encoding = [map.codec, map.rate, map.encoding].filter((part) => part !== undefined).join('/');
    const parameters = media.fmtp.find((line) => line.payload === payloadType)?.config ?? '';
    return readFormat(encoding, payloadType, String(parameters)) ?? [];
  });
}

const isSecureRtp = (protocol: string): boolean => /^(?:UDP|TCP)\/TLS\/RTP\/SAVPF?$|^RTP\/SAVPF$/.test(protocol);

/** RFC 8843 section 6: its port is 0 and it is wanted all the same. */
const isBundleOnly = (media: MediaDescription): boolean => media.bundleOnly !== undefined;

function readExtensions(media: MediaDescription): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { uri, value } of media.ext ?? []) {
    // 0 and 15 mean something else in the header (RFC 8285 4.2); with more than 14 it gets a longer form.
    const isFree = ![...ids.values()].includes(value);
    if (KNOWN_EXTENSIONS.has(uri) && value > 0 && value < 15 && isFree && !ids.has(uri)) ids.set(uri, value);
  }
  return ids;
}

function readRetransmissions(media: MediaDescription, formats: readonly Format[]): Map<number, number> {
  const again = new Map<number, number>();
  for (const { payload, codec } of media.rtp) {
    if (codec.toLowerCase() !== 'rtx' || payload > 127 || (payload >= 64 && payload < 96)) continue;
    const line = media.fmtp.find((line) => line.payload === payload)?.config ?? '';
    const original = Number(/(?:^|;)\s*apt=(\d+)/.exec(String(line))?.[1]);
    const isTaken = formats.some(({ payloadType }) => payloadType === payload);
    if (!isTaken && formats.some(({ payloadType }) => payloadType === original)) again.set(original, payload);
  }
  return again;
}

function readCongestionFeedback(media: MediaDescription): Set<CongestionFeedback> {
  const offered = new Set(media.rtcpFb?.map(({ type }) => type));
  return new Set((['transport-cc', 'goog-remb'] as const).filter((type) => offered.has(type)));
}

/**
 * A simulcast by rid, where the order of the offer is taken for that of the sizes (it is with browsers, unless told
 * otherwise: WebRTC 5.2 scales the first down most); one by SSRC group; or one encoding.
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
  return main.slice(0, MOST_ENCODINGS).map((ssrc) => {
    const pair = groups.find(({ semantics, ssrcs }) => semantics === 'FID' && ssrcs[0] === ssrc)?.ssrcs;
    return { rid: undefined, ssrc, retransmissionSsrc: pair?.[1] };
  });
}

/** RFC 8853 section 5.1: what is sent, of alternatives the first. */
function simulcastRids({ simulcast, rids }: MediaDescription): string[] {
  const list = simulcast?.dir1 === 'send' ? simulcast.list1 : simulcast?.dir2 === 'send' ? simulcast.list2 : '';
  const declared = new Set(rids?.filter(({ direction }) => direction === 'send').map(({ id }) => String(id)));
  const sent = String(list ?? '')
    .split(';')
    .map((alternatives) => alternatives.split(',')[0]!.replace(/^~/, ''))
    .filter((rid) => RID.test(rid) && declared.has(rid));
  return [...new Set(sent)].slice(0, MOST_ENCODINGS);
}

const isSsrc = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= 0xffffffff;

const invalid = (what: string, cause?: unknown): MediaError =>
  new MediaError('invalid_sdp', `the SDP offer cannot be used: ${what}`, { cause });
