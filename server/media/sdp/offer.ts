import { MediaError } from '../engine/media-error.js';
import { readLines } from './lines.js';
import { offeredMedia, type MediaLines, type OfferedMedia } from './offered-media.js';
import { MAX_FORMATS, SectionLines } from './section-lines.js';

/**
 * The parts of an SDP offer (RFC 8829 section 5.2) that the server uses. They are validated: strings are safe to write
 * into SDP. An offer can be sent to another process as JSON.
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

const MAX_OFFER_LENGTH = 64 * 1024;
const MAX_MEDIA = 64;
/** Browsers write lines of 38 characters on average, so that their longest offers have half as many. */
const MAX_LINES = 4_096;
/** Of an m-line, or before the first one. Browsers write 165 at most, with candidates some more. */
const MAX_SECTION_LINES = 512;
const TOKEN = /^[\x21-\x7e]{1,64}$/;
const FINGERPRINT = /^sha-(?:1|224|256|384|512) [0-9a-f]{2}(?::[0-9a-f]{2}){19,63}$/i;
/** Media, port, protocol and formats. */
const MEDIA_LINE = /^(\w{1,64}) (\d{1,5}) ([\w/]{1,64})(?: (.*))?$/;

/** The lines of an offer that count. */
interface OfferLines {
  readonly isOfFirefox: boolean;
  readonly session: SectionLines;
  readonly media: readonly MediaLines[];
}

/**
 * Reads an offer of a stranger, in the process that serves everybody: the longest takes some milliseconds
 * (`test/server/cost`). The processes that carry media get the result.
 * @throws {MediaError} `invalid_sdp`, with the reason
 */
export function readOffer(sdp: string): Offer {
  if (sdp.length > MAX_OFFER_LENGTH) throw invalid(`it is longer than ${MAX_OFFER_LENGTH} characters`);
  if (!sdp.startsWith('v=0')) throw invalid('it does not begin with v=0');
  const { session, media: sections, isOfFirefox } = readOfferLines(sdp);
  if (!sections.length) throw invalid('it has no m-line');

  const mids = sections.map(({ lines }, index) => lines.values.get('mid') ?? String(index));
  if (mids.some((mid) => !TOKEN.test(mid))) throw invalid('a mid is malformed');
  if (new Set(mids).size !== mids.length) throw invalid('two m-lines have the same mid');
  const bundle = session.bundle && new Set(session.bundle);
  const media = sections.map((section, index) => {
    const mid = mids[index]!;
    const isBundled = bundle?.has(mid) ?? false;
    return offeredMedia(section, {
      session,
      mid,
      isBundled,
      usesTransport: isBundled || (!bundle && index === 0),
      isOfFirefox,
    });
  });
  const carrying = sections[Math.max(0, mids.indexOf(session.bundle?.[0] ?? mids[0]!))]!;
  return { ice: readIce(carrying.lines, session), media };
}

function readOfferLines(sdp: string): OfferLines {
  const session = new SectionLines();
  const media: MediaLines[] = [];
  let isOfFirefox = false;
  let count = 0;
  let ofSection = 0;
  let section = session;
  readLines(sdp, (letter, value) => {
    if (++count > MAX_LINES) throw invalid(`it has more than ${MAX_LINES} lines`);
    if (letter === 'm') ofSection = 0;
    if (++ofSection > MAX_SECTION_LINES) throw invalid(`it has more than ${MAX_SECTION_LINES} lines for an m-line`);
    switch (letter) {
      case 'o':
        isOfFirefox = value.startsWith('mozilla');
        return;
      case 'm':
        if (media.length === MAX_MEDIA) throw invalid(`it has more than ${MAX_MEDIA} m-lines`);
        media.push(readMediaLine(value, (section = new SectionLines())));
        return;
      case 'a':
        try {
          section.add(value);
        } catch (cause) {
          throw invalid(cause instanceof RangeError ? cause.message : 'a line is malformed', cause);
        }
    }
  });
  return { isOfFirefox, session, media };
}

function readMediaLine(value: string, lines: SectionLines): MediaLines {
  const [, type, port, protocol, formats = ''] = MEDIA_LINE.exec(value) ?? [];
  if (type === undefined || protocol === undefined) throw invalid('an m-line is malformed');
  const words = formats.split(' ', MAX_FORMATS + 1);
  if (words.length > MAX_FORMATS) throw invalid(`an m-line of it has more than ${MAX_FORMATS} formats`);
  const payloads = [...new Set(words)].filter((payload) => TOKEN.test(payload));
  return { type, port: Number(port), protocol, payloads, lines };
}

function readIce({ values }: SectionLines, session: SectionLines): IceParameters {
  const valueOf = (name: 'ice-ufrag' | 'ice-pwd' | 'fingerprint' | 'setup') =>
    values.get(name) ?? session.values.get(name);
  const usernameFragment = valueOf('ice-ufrag') ?? '';
  const password = valueOf('ice-pwd') ?? '';
  const fingerprint = valueOf('fingerprint') ?? '';
  const setup = valueOf('setup') ?? 'actpass';
  // Minimum lengths: RFC 8839 section 5.4.
  if (!/^[\x21-\x7e]{4,256}$/.test(usernameFragment)) throw invalid('it has no ICE user fragment');
  if (!/^[\x21-\x7e]{22,256}$/.test(password)) throw invalid('it has no ICE password');
  if (!FINGERPRINT.test(fingerprint)) throw invalid('it has no DTLS fingerprint');
  if (setup !== 'actpass' && setup !== 'active' && setup !== 'passive') throw invalid('its setup role is unknown');
  return { usernameFragment, password, fingerprint, setup };
}

const invalid = (what: string, cause?: unknown): MediaError =>
  new MediaError('invalid_sdp', `the SDP offer cannot be used: ${what}`, { cause });
