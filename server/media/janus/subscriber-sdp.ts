// What viewers get of a Janus subscription. Janus has an m-line for each codec, and sends on the one whose codec the
// publisher has. A viewer sees one m-line of each kind with all codecs, so that a player has one track of each kind.

import { MID } from '../sdp/extension-uris.js';
import { readLines } from '../sdp/lines.js';
import { isUsable } from '../sdp/negotiation.js';
import type { Offer } from '../sdp/offer.js';
import { MediaError } from '../engine/media-error.js';
import type { TrackKind } from '../engine/media-track.js';

/** Descriptions of Janus, and of browsers that answer them, have some hundred. */
const MAX_LINES = 1_024;

/** The m-lines of a description, each with its lines, and the lines before them. */
interface Sections {
  readonly session: readonly string[];
  readonly media: readonly (readonly string[])[];
}

/**
 * The offer for a viewer.
 *
 * It declares no SSRC of video and no MID extension, because the m-lines that it joins have different ones: a browser
 * finds the m-line by the payload type, which is another one for each codec. For the same reason it has no RTX: Janus
 * then repeats packets as they are.
 * @param offer of Janus
 * @param kinds what the viewer wants to receive
 */
export function viewerOffer(offer: string, kinds: readonly TrackKind[]): string {
  const { session, media } = sectionsOf(offer);
  const joined = kinds.flatMap((kind) => {
    const [first, ...others] = media.filter((section) => kindOf(section) === kind).map(withoutRtx);
    if (!first) return [];
    const payloads = [first, ...others].flatMap(payloadsOf);
    const formats = others.flatMap((section) => section.filter(isFormatLine));
    const own = first.slice(1).filter((line) => !line.startsWith('a=ssrc') && !line.includes(MID));
    return [{ mid: midOf(first), lines: [mLine(kind, 9, payloads), ...own, ...formats] }];
  });
  return text([
    ...withBundle(
      session,
      joined.map(({ mid }) => mid),
    ),
    ...joined.flatMap(({ lines }) => lines),
  ]);
}

/**
 * The answer for Janus: each of its m-lines has what the viewer answered for the codec of the m-line. An m-line is
 * rejected if the viewer does not receive its kind or its codec.
 * @param answer of the viewer, to `viewerOffer`
 * @param offer of Janus
 * @throws {MediaError} `invalid_sdp`: the answer is far too long
 */
export function janusAnswer(answer: string, offer: string): string {
  const { session, media: answered } = sectionsOf(answer);
  const accepted = (['audio', 'video'] as const).map((kind) => {
    const own = answered.find((lines) => kindOf(lines) === kind && !isRejected(lines));
    return { kind, own, offered: new Set(own && payloadsOf(own)) };
  });
  const media = sectionsOf(offer).media.map((section) => {
    const kind = kindOf(section) ?? 'video';
    const { own, offered } = accepted.find((each) => each.kind === kind)!;
    const payloads = payloadsOf(withoutRtx(section)).filter((payload) => offered.has(payload));
    const mid = midOf(section);
    if (!own || !payloads.length) {
      const rejected = [mLine(kind, 0, payloadsOf(section)), 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive'];
      return { mid, isUsed: false, lines: rejected };
    }
    const lines = own
      .slice(1)
      .filter((line) => !isFormatLine(line) || payloads.includes(payloadOf(line)))
      .map((line) => (line.startsWith('a=mid:') ? `a=mid:${mid}` : line));
    return { mid, isUsed: true, lines: [mLine(kind, 9, payloads), ...lines] };
  });
  const bundled = media.filter(({ isUsed }) => isUsed).map(({ mid }) => mid);
  return text([...withBundle(session, bundled), ...media.flatMap(({ lines }) => lines)]);
}

/**
 * The kinds that a viewer wants to receive, in the order of its own offer.
 * @throws {MediaError} `invalid_sdp` if it receives nothing, `no_common_codec`
 */
export function receivedKinds({ media }: Offer): TrackKind[] {
  const received = media.filter(
    ({ kind, direction }) => kind && (direction === 'recvonly' || direction === 'sendrecv'),
  );
  if (!received.length) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it receives neither audio nor video');
  }
  const kinds = new Set(received.flatMap((media) => (media.kind && isUsable(media) ? [media.kind] : [])));
  if (!kinds.size) throw new MediaError('no_common_codec', 'the SDP offer has no codec that this server relays');
  return [...kinds];
}

/** The mid of the first m-line of each kind. */
export function midsOf(description: string): Partial<Record<TrackKind, string>> {
  const mids: Partial<Record<TrackKind, string>> = {};
  for (const section of sectionsOf(description).media) {
    const kind = kindOf(section);
    if (kind) mids[kind] ??= midOf(section);
  }
  return mids;
}

function sectionsOf(description: string): Sections {
  const session: string[] = [];
  const media: string[][] = [];
  let count = 0;
  readLines(description, (letter, value) => {
    if (++count > MAX_LINES) {
      throw new MediaError('invalid_sdp', `the SDP cannot be used: it has more than ${MAX_LINES} lines`);
    }
    const line = letter ? `${letter}=${value}` : value;
    if (letter === 'm') media.push([line]);
    else (media.at(-1) ?? session).push(line);
  });
  return { session, media };
}

function kindOf([mLine = '']: readonly string[]): TrackKind | undefined {
  return (['audio', 'video'] as const).find((kind) => mLine.startsWith(`m=${kind} `));
}

const midOf = (section: readonly string[]): string =>
  section.find((line) => line.startsWith('a=mid:'))?.slice('a=mid:'.length) ?? '';
const payloadsOf = ([mLine = '']: readonly string[]): string[] => mLine.split(' ').slice(3);
const isRejected = ([mLine = '']: readonly string[]): boolean => mLine.split(' ')[1] === '0';
const mLine = (kind: TrackKind, port: number, payloads: readonly string[]): string =>
  `m=${kind} ${port} UDP/TLS/RTP/SAVPF ${payloads.join(' ')}`;

const FORMAT_LINE = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/;
const isFormatLine = (line: string): boolean => FORMAT_LINE.test(line);
const payloadOf = (line: string): string => FORMAT_LINE.exec(line)?.[1] ?? '';

function withoutRtx(section: readonly string[]): string[] {
  const rtx = new Set(section.filter((line) => / rtx\//i.test(line)).map(payloadOf));
  const [, ...lines] = section.filter((line) => !rtx.has(payloadOf(line)));
  const kind = kindOf(section) ?? 'video';
  return [
    mLine(
      kind,
      9,
      payloadsOf(section).filter((payload) => !rtx.has(payload)),
    ),
    ...lines,
  ];
}

function withBundle(session: readonly string[], mids: readonly string[]): string[] {
  return session.map((line) => (line.startsWith('a=group:BUNDLE') ? `a=group:BUNDLE ${mids.join(' ')}` : line));
}

const text = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;
