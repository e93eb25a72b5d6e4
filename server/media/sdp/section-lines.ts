import { KNOWN_EXTENSIONS } from './extension-uris.js';

/** An `a=extmap` line (RFC 8285 section 6) of an extension that the server knows. */
export interface ExtensionLine {
  readonly id: number;
  readonly uri: string;
  /** Absent: as the m-line. */
  readonly direction: string | undefined;
}

/** Payload types have seven bits (RFC 3550 section 5.1). */
export const MAX_FORMATS = 128;
/** Longer than any encoder writes, with the parameter sets of its codec. */
const MAX_PARAMETERS_LENGTH = 2_048;
/** Browsers write some fifteen lines, two of a kind at most. */
const MAX_EXTENSION_LINES = 64;
/** Browsers send three encodings; an m-line of a conference has one for each person. */
const MAX_RIDS = 64;
const MAX_SSRC_PAIRS = 64;
const MAX_SSRCS_OF_GROUP = 16;
/** As the m-lines of an offer. */
const MAX_BUNDLED = 64;

const DIRECTIONS: ReadonlySet<string> = new Set(['sendrecv', 'sendonly', 'recvonly', 'inactive']);
const FEEDBACK: ReadonlySet<string> = new Set(['ccm fir', 'nack', 'nack pli', 'transport-cc', 'goog-remb']);
/** The codec, its clock rate and its channels. */
const ENCODING = /^([\w.-]{1,32})(?:\s*\/(\d{1,9})(?:\s*\/(\S{1,16}))?)?/;

/**
 * The attributes of an m-line, or those before the first m-line, as far as the server uses them. Each line is read once
 * and put where it is looked up, so that the lines of one kind are not multiplied by those of another. Repeated lines
 * and those beyond what RTP can have are not kept.
 */
export class SectionLines {
  /** Attributes that have one value. The last one counts. */
  readonly values = new Map<SingleAttribute, string>();
  /** `a=rtpmap` by payload type, as `VP8/90000`. */
  readonly encodings = new Map<number, string>();
  /** `a=fmtp` by payload type. */
  readonly parameters = new Map<number, string>();
  /** The known kinds in `a=rtcp-fb`, by payload type. */
  readonly feedback = new Map<number | '*', Set<string>>();
  readonly extensions: ExtensionLine[] = [];
  /** Of `a=rid`, those that are sent. */
  readonly rids = new Set<string>();
  /** The mids of the first `a=group:BUNDLE`. */
  bundle: readonly string[] | undefined;
  /** Of the first `a=ssrc`. */
  firstSsrc: number | undefined;
  /** The SSRCs of the first `a=ssrc-group:SIM`. */
  simulcastSsrcs: readonly number[] | undefined;
  /** `a=ssrc-group:FID`: the SSRC of RTX by that of the media, the first one first. */
  readonly ssrcPairs = new Map<number, number | undefined>();

  /**
   * @param attribute what follows `a=`
   * @throws {RangeError} if it is longer than anything that a client sends
   */
  add(attribute: string): void {
    const colon = attribute.indexOf(':');
    if (colon < 0) return this.#addFlag(attribute.trimEnd());
    const value = attribute.slice(colon + 1).trimEnd();
    const name = attribute.slice(0, colon);
    switch (name) {
      case 'rtpmap':
        return this.#addEncoding(value);
      case 'fmtp':
        return this.#addParameters(value);
      case 'rtcp-fb':
        return this.#addFeedback(value);
      case 'extmap':
        return this.#addExtension(value);
      case 'rid':
        return this.#addRid(value);
      case 'ssrc':
        this.firstSsrc ??= firstNumber(value);
        return;
      case 'ssrc-group':
        return this.#addSsrcGroup(value);
      case 'group':
        if (value.startsWith('BUNDLE ')) this.bundle ??= value.slice('BUNDLE '.length).split(' ', MAX_BUNDLED);
        return;
      case 'mid':
      case 'ice-ufrag':
      case 'ice-pwd':
      case 'fingerprint':
      case 'setup':
      case 'simulcast':
        this.values.set(name, value);
    }
  }

  #addFlag(name: string): void {
    if (DIRECTIONS.has(name)) this.values.set('direction', name);
    else if (name === 'rtcp-rsize' || name === 'bundle-only' || name === 'extmap-allow-mixed') {
      this.values.set(name, '');
    }
  }

  #addEncoding(value: string): void {
    const payloadType = payloadTypeOf(value);
    if (payloadType === undefined || this.encodings.has(payloadType)) return;
    const [, codec, rate, channels] = ENCODING.exec(afterFirstWord(value)) ?? [];
    const encoding = [codec, rate, channels].filter((part) => part !== undefined).join('/');
    if (encoding) this.encodings.set(payloadType, encoding);
  }

  #addParameters(value: string): void {
    const payloadType = payloadTypeOf(value);
    if (payloadType === undefined || this.parameters.has(payloadType)) return;
    if (value.length > MAX_PARAMETERS_LENGTH) {
      throw new RangeError(`an a=fmtp line of it has more than ${MAX_PARAMETERS_LENGTH} characters`);
    }
    this.parameters.set(payloadType, afterFirstWord(value));
  }

  #addFeedback(value: string): void {
    const kind = afterFirstWord(value);
    const payloadType = value.startsWith('* ') ? '*' : payloadTypeOf(value);
    if (payloadType === undefined || !FEEDBACK.has(kind)) return;
    const kinds = this.feedback.get(payloadType);
    if (kinds) kinds.add(kind);
    else this.feedback.set(payloadType, new Set([kind]));
  }

  #addExtension(value: string): void {
    if (this.extensions.length === MAX_EXTENSION_LINES) return;
    const uri = firstWord(afterFirstWord(value));
    if (!KNOWN_EXTENSIONS.has(uri)) return;
    const [id, direction] = firstWord(value).split('/', 2);
    this.extensions.push({ id: Number(id), uri, direction });
  }

  #addRid(value: string): void {
    if (this.rids.size === MAX_RIDS) return;
    if (firstWord(afterFirstWord(value)) === 'send') this.rids.add(firstWord(value));
  }

  #addSsrcGroup(value: string): void {
    const isPair = value.startsWith('FID ') && this.ssrcPairs.size < MAX_SSRC_PAIRS;
    const isSimulcast = value.startsWith('SIM ') && !this.simulcastSsrcs;
    if (!isPair && !isSimulcast) return;
    const ssrcs = afterFirstWord(value).split(' ', MAX_SSRCS_OF_GROUP).map(Number).filter(isSsrc);
    if (isSimulcast) this.simulcastSsrcs = ssrcs;
    const [media, repair] = ssrcs;
    if (isPair && media !== undefined && !this.ssrcPairs.has(media)) this.ssrcPairs.set(media, repair);
  }
}

export type SingleAttribute =
  | 'mid'
  | 'ice-ufrag'
  | 'ice-pwd'
  | 'fingerprint'
  | 'setup'
  | 'simulcast'
  | 'direction'
  | 'rtcp-rsize'
  | 'bundle-only'
  | 'extmap-allow-mixed';

export const isSsrc = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= 0xffffffff;

/** The payload type at the beginning of a value. Undefined: there is none. */
function payloadTypeOf(value: string): number | undefined {
  const number = firstNumber(value);
  return number !== undefined && number < MAX_FORMATS ? number : undefined;
}

const MAX_DIGITS = 10;

/** The number of up to ten digits before the first space. */
function firstNumber(value: string): number | undefined {
  let number = 0;
  for (let at = 0; at <= MAX_DIGITS; at++) {
    const digit = value.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) number = 10 * number + digit;
    else return at > 0 && value[at] === ' ' ? number : undefined;
  }
  return undefined;
}

function firstWord(value: string): string {
  const space = value.indexOf(' ');
  return space < 0 ? value : value.slice(0, space);
}

/** What follows the first space. */
const afterFirstWord = (value: string): string => value.slice(value.indexOf(' ') + 1);
