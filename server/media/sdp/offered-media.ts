import type { TrackKind } from '../engine/media-track.js';
import { parameter, readFormat, REDUNDANCY_ENCODING, type Format } from './codecs.js';
import { isSsrc, MAX_FORMATS, type SectionLines } from './section-lines.js';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** It has no codec that the server knows, would need a transport of its own, or is not SRTP. */
export type MediaObstacle = 'codec' | 'unbundled' | 'unencrypted';

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
  /** Whether the offer disables it (port 0), so that it carries nothing whatever its direction. */
  readonly disabled: boolean;
  /** Why it can carry nothing. Undefined: it can. */
  readonly obstacle: MediaObstacle | undefined;
  /** Whether it is in the bundle of the offer. An offer without a bundle has one m-line that can be used. */
  readonly isBundled: boolean;
  /** The names of what it offers, for messages: `H265`. */
  readonly codecs: readonly string[];
  readonly reducedSizeRtcp: boolean;
  /** Whether header extensions may have the two-byte form, which long ones need (RFC 8285 section 6). */
  readonly allowsMixedExtensions: boolean;
  /** Ids of the known header extensions, by URI. */
  readonly extensions: Readonly<Record<string, number>>;
  /** Of these, those that are offered in one direction only, as the m-line is. */
  readonly oneWayExtensions: Readonly<Record<string, 'sendonly' | 'recvonly'>>;
  /** The RTX payload type (RFC 4588) by media payload type. */
  readonly retransmissions: Readonly<Record<number, number>>;
  /** The payload type of redundancy for audio (RFC 2198, `red`) by that of Opus. */
  readonly redundancies: Readonly<Record<number, number>>;
  /** The feedback on losses that `a=rtcp-fb` offers, by payload type. */
  readonly lossFeedback: Readonly<Record<number, readonly LossFeedback[]>>;
  /** The congestion feedback that `a=rtcp-fb` offers, by payload type. */
  readonly congestionFeedback: Readonly<Record<number, readonly CongestionFeedback[]>>;
  /** One encoding, or those of a simulcast, in the order of the offer: it does not tell which is the smallest. */
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

/** Of a simulcast. Browsers send three. */
const MAX_ENCODINGS = 4;
/** What the list of a simulcast names, of which those count that are declared. */
const MAX_NAMED_ENCODINGS = 64;
const RID = /^[A-Za-z0-9_-]{1,32}$/;

/** An m-line, and the lines that follow it. */
export interface MediaLines {
  readonly type: string;
  readonly port: number;
  readonly protocol: string;
  readonly payloads: readonly string[];
  readonly lines: SectionLines;
}

/** What an m-line has of the rest of the offer. */
export interface MediaContext {
  /** The attributes before the first m-line, which hold for all. */
  readonly session: SectionLines;
  readonly mid: string;
  readonly isBundled: boolean;
  /** Whether it uses the transport that carries all media. */
  readonly usesTransport: boolean;
  readonly isOfFirefox: boolean;
}

/** What the server uses of an m-line. */
export function offeredMedia(
  { type, port, protocol, payloads, lines }: MediaLines,
  { session, mid, isBundled, usesTransport, isOfFirefox }: MediaContext,
): OfferedMedia {
  const { values } = lines;
  const kind = type === 'audio' || type === 'video' ? type : undefined;
  const known = kind ? readFormats(lines, payloads) : [];
  const formats = isOfFirefox ? known.map(withDecoder) : known;
  const direction = (values.get('direction') ?? session.values.get('direction') ?? 'sendrecv') as Direction;
  const isCommon = formats.length > 0;
  const isSecure = isSecureRtp(protocol);
  return {
    type,
    kind,
    protocol,
    mid,
    direction,
    formats,
    payloads,
    // A bundle-only m-line has port 0 and is not rejected (RFC 8843 section 6).
    disabled: port === 0 && !values.has('bundle-only'),
    obstacle: !isCommon ? 'codec' : !isSecure ? 'unencrypted' : !usesTransport ? 'unbundled' : undefined,
    isBundled,
    codecs: codecNames(lines, payloads),
    reducedSizeRtcp: values.has('rtcp-rsize'),
    allowsMixedExtensions: values.has('extmap-allow-mixed') || session.values.has('extmap-allow-mixed'),
    ...readExtensions(lines, direction),
    ...readAccompanying(lines, formats, kind),
    lossFeedback: readFeedback(lines, formats, LOSS_FEEDBACK),
    congestionFeedback: readFeedback(lines, formats, CONGESTION_FEEDBACK),
    encodings: readEncodings(lines),
  };
}

function readFormats({ encodings, parameters }: SectionLines, payloads: readonly string[]): Format[] {
  return payloads.flatMap((payload) => {
    const payloadType = /^\d{1,3}$/.test(payload) ? Number(payload) : -1;
    const encoding = encodings.get(payloadType);
    if (encoding === undefined || !isPayloadType(payloadType)) return [];
    return readFormat(encoding, payloadType, parameters.get(payloadType) ?? '') ?? [];
  });
}

/** Static payload types of audio (RFC 3551 section 6), which need no `a=rtpmap`. */
const STATIC_CODECS: Readonly<Record<string, string>> = { 0: 'PCMU', 8: 'PCMA', 9: 'G722' };
/** What carries or accompanies another format. */
const ACCOMPANYING = /^(?:rtx|red|ulpfec|flexfec(?:-03)?|telephone-event|CN)$/i;
/** Of a message. */
const MAX_NAMED_CODECS = 4;

function codecNames({ encodings }: SectionLines, payloads: readonly string[]): string[] {
  const names = payloads.flatMap((payload) => {
    const name = encodings.get(Number(payload))?.split('/', 1)[0] ?? STATIC_CODECS[payload];
    return name === undefined || ACCOMPANYING.test(name) ? [] : name;
  });
  return [...new Set(names)].slice(0, MAX_NAMED_CODECS);
}

/**
 * Firefox offers no H.264 above baseline, but decodes with OpenH264, which reads profile high too. Delete this when
 * Firefox offers profile high.
 */
const withDecoder = (format: Format): Format =>
  format.codec === 'h264' ? { ...format, decodedProfile: '6400' } : format;

/** With rtcp-mux, 64 to 95 would be read as RTCP (RFC 5761 section 4). */
const isPayloadType = (value: number): boolean => value < MAX_FORMATS && (value < 64 || value >= 96);

const isSecureRtp = (protocol: string): boolean => /^(?:UDP|TCP)\/TLS\/RTP\/SAVPF?$|^RTP\/SAVPF$/.test(protocol);

/** The first line of each extension that fits the m-line, with an id that no other has. */
function readExtensions(
  lines: SectionLines,
  direction: Direction,
): Pick<OfferedMedia, 'extensions' | 'oneWayExtensions'> {
  const extensions: Record<string, number> = {};
  const oneWayExtensions: Record<string, 'sendonly' | 'recvonly'> = {};
  const taken = new Set<number>();
  for (const { uri, id, direction: way = 'sendrecv' } of lines.extensions) {
    if (way !== 'sendrecv' && (way !== direction || direction === 'inactive')) continue;
    // 0 and 15 are reserved (RFC 8285 section 4.2); higher ids need the two-byte form.
    if (!(id > 0 && id < 15) || taken.has(id) || uri in extensions) continue;
    taken.add(id);
    extensions[uri] = id;
    if (way === 'sendonly' || way === 'recvonly') oneWayExtensions[uri] = way;
  }
  return { extensions, oneWayExtensions };
}

/** The payload types that carry nothing but another format: RTX, and `a=fmtp:63 111/111` of redundancy. */
function readAccompanying(
  { encodings, parameters }: SectionLines,
  formats: readonly Format[],
  kind: TrackKind | undefined,
): Pick<OfferedMedia, 'retransmissions' | 'redundancies'> {
  const retransmissions: Record<number, number> = {};
  const redundancies: Record<number, number> = {};
  const media = new Set(formats.map(({ payloadType }) => payloadType));
  for (const [payloadType, encoding] of encodings) {
    if (!isPayloadType(payloadType) || media.has(payloadType)) continue;
    const carried = parameters.get(payloadType) ?? '';
    if (/^rtx(?:\/|$)/i.test(encoding)) {
      const original = Number(parameter(carried, 'apt'));
      if (media.has(original)) retransmissions[original] = payloadType;
    } else if (kind === 'audio' && encoding.toLowerCase() === REDUNDANCY_ENCODING) {
      const [original = '', ...others] = carried.split('/');
      if (media.has(Number(original)) && others.every((other) => other === original)) {
        redundancies[Number(original)] = payloadType;
      }
    }
  }
  return { retransmissions, redundancies };
}

/** Which of these kinds of feedback each format has. */
function readFeedback<Feedback extends string>(
  { feedback }: SectionLines,
  formats: readonly Format[],
  known: readonly Feedback[],
): Record<number, readonly Feedback[]> {
  const ofAll = feedback.get('*');
  return Object.fromEntries(
    formats.map(({ payloadType }) => {
      const own = feedback.get(payloadType);
      return [payloadType, known.filter((kind) => ofAll?.has(kind) || own?.has(kind))];
    }),
  );
}

/**
 * A simulcast by rid, a simulcast by SSRC group, or one encoding.
 */
function readEncodings(lines: SectionLines): DeclaredEncoding[] {
  const rids = simulcastRids(lines);
  if (rids.length) return rids.map((rid) => ({ rid, ssrc: undefined, retransmissionSsrc: undefined }));
  const { simulcastSsrcs = [], ssrcPairs, firstSsrc } = lines;
  const [firstPaired] = ssrcPairs.keys();
  const only = [firstPaired ?? firstSsrc ?? 0].filter(isSsrc);
  const main = simulcastSsrcs.length ? [...new Set(simulcastSsrcs)] : only;
  if (!main.length) return [{ rid: undefined, ssrc: undefined, retransmissionSsrc: undefined }];
  return main
    .slice(0, MAX_ENCODINGS)
    .map((ssrc) => ({ rid: undefined, ssrc, retransmissionSsrc: ssrcPairs.get(ssrc) }));
}

/** The rids that are sent (RFC 8853 section 5.1); of alternatives, the first. */
function simulcastRids({ values, rids }: SectionLines): string[] {
  const words = (values.get('simulcast') ?? '').split(' ', 4);
  const list = words[0] === 'send' ? words[1] : words[2] === 'send' ? words[3] : '';
  const sent = (list ?? '')
    .split(';', MAX_NAMED_ENCODINGS)
    .map((alternatives) => alternatives.split(',', 1)[0]!.replace(/^~/, ''))
    .filter((rid) => RID.test(rid) && rids.has(rid));
  return [...new Set(sent)].slice(0, MAX_ENCODINGS);
}
