import type { TrackKind, VideoCodec } from '../engine/media-track.js';

export type Codec = 'opus' | VideoCodec;

/** A media format of an offer: a codec, a profile and a payload type. */
export interface Format {
  readonly codec: Codec;
  /** What must match for a decoder to support the format: H.264 profile and constraints, VP9 and AV1 profile. */
  readonly profile: string;
  /** H.264: the profile that the peer's decoder reads, if it reads a higher one than the peer offers. */
  readonly decodedProfile?: string | undefined;
  readonly payloadType: number;
  /** From the offer's `a=fmtp`; '' if there is none. */
  readonly parameters: string;
}

/** As in `a=rtpmap`. */
export const ENCODINGS: Record<Codec, string> = {
  opus: 'opus/48000/2',
  vp8: 'VP8/90000',
  h264: 'H264/90000',
  vp9: 'VP9/90000',
  av1: 'AV1/90000',
};

/** Of redundancy for Opus (RFC 2198). */
export const REDUNDANCY_ENCODING = 'red/48000/2';

export const clockRate = (kind: TrackKind): number => (kind === 'audio' ? 48_000 : 90_000);
export const codecKind = (codec: Codec): TrackKind => (codec === 'opus' ? 'audio' : 'video');

/** Used if a publisher does not ask for a codec. */
const VIDEO_PREFERENCE: readonly VideoCodec[] = ['vp8', 'h264', 'vp9', 'av1'];
/** H.264 profiles, the most widely supported first: constrained baseline, baseline, main. */
const H264_PROFILE_PREFERENCE = ['42e0', '4200', '4d00'];

/** Some encoders leave out that Opus has two channels, which it always has (RFC 7587 section 7). */
const CODEC_OF_ENCODING = new Map<string, Codec>([
  ...Object.entries(ENCODINGS).map(([codec, encoding]) => [encoding.toLowerCase(), codec as Codec] as const),
  ['opus/48000', 'opus'],
]);

/** @param encoding as in `a=rtpmap`: `VP8/90000`. Upper and lower case are the same */
export function readFormat(encoding: string, payloadType: number, parameters: string): Format | undefined {
  const codec = CODEC_OF_ENCODING.get(encoding.toLowerCase());
  return codec && { codec, profile: profileOf(codec, parameters), payloadType, parameters };
}

function profileOf(codec: Codec, parameters: string): string {
  switch (codec) {
    case 'h264':
      // RFC 6184 section 8.1: the last byte is the level. The default is baseline.
      return (parameter(parameters, 'profile-level-id') ?? '42000a').toLowerCase().slice(0, 4);
    case 'vp9':
      return (parameter(parameters, 'profile-id') ?? '0').slice(0, 2);
    case 'av1':
      return (parameter(parameters, 'profile') ?? '0').slice(0, 2);
    default:
      return '';
  }
}

const CODEC_NAMES: Readonly<Record<Codec, string>> = {
  opus: 'Opus',
  vp8: 'VP8',
  h264: 'H.264',
  vp9: 'VP9',
  av1: 'AV1',
};

/** For messages: `H.264 of profile 6400`. */
export function formatName({ codec, profile }: Pick<Format, 'codec' | 'profile'>): string {
  return profile ? `${CODEC_NAMES[codec]} of profile ${profile}` : CODEC_NAMES[codec];
}

/** A value of an `a=fmtp` line. */
export function parameter(parameters: string, name: string): string | undefined {
  for (let at = 0; at < parameters.length;) {
    const semicolon = parameters.indexOf(';', at);
    const end = semicolon < 0 ? parameters.length : semicolon;
    const part = parameters.slice(at, end);
    const equals = part.indexOf('=');
    if (equals >= 0 && part.slice(0, equals).trim().toLowerCase() === name) return part.slice(equals + 1).trim();
    at = end + 1;
  }
  return undefined;
}

/** Whether NAL units may be sent in fragments (RFC 6184 section 6.2). Every sender here does. */
const supportsFragments = ({ codec, parameters }: Format): boolean =>
  codec !== 'h264' || parameter(parameters, 'packetization-mode') === '1';

/** The format to accept from a publisher's offer. `codec` absent: the most preferred codec of the offer. */
export function chooseFormat(formats: readonly Format[], codec?: VideoCodec): Format | undefined {
  const audio = formats.find((format) => format.codec === 'opus');
  if (audio) return audio;
  const wanted = codec ?? VIDEO_PREFERENCE.find((name) => formats.some((format) => format.codec === name));
  return ranked(formats, wanted)[0];
}

/** The formats of a codec, the best first. */
function ranked(formats: readonly Format[], codec: Codec | undefined): Format[] {
  return formats
    .filter((format) => format.codec === codec)
    .map((format) => ({ format, rank: rank(format) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ format }) => format);
}

/** Smaller is better. */
function rank(format: Format): number {
  if (format.codec !== 'h264') return Number(format.profile) || 0;
  const known = H264_PROFILE_PREFERENCE.indexOf(format.profile);
  // Fragments are more important than the profile: every viewer supports them.
  return (supportsFragments(format) ? 0 : 100) + (known < 0 ? H264_PROFILE_PREFERENCE.length : known);
}

/** The formats that can be sent to a viewer: one for each codec and profile, in the order of the offer. */
export function sendableFormats(formats: readonly Format[]): Format[] {
  const seen = new Set<string>();
  return formats.filter((format) => {
    const name = `${format.codec} ${format.profile}`;
    return supportsFragments(format) && !seen.has(name) && seen.add(name);
  });
}

/**
 * The viewer's format for what the publisher sends: of the same profile, else the most common one whose decoders can
 * read it. Undefined: the viewer has none. Levels do not count: browsers offer one, and decode what they can.
 */
export function matchFormat(
  viewer: readonly Format[],
  published: Pick<Format, 'codec' | 'profile'>,
): Format | undefined {
  const same = ranked(viewer, published.codec);
  return (
    same.find((format) => format.profile === published.profile) ?? same.find((format) => canDecode(format, published))
  );
}

/** @param published profile '': unknown */
function canDecode({ codec, profile, decodedProfile = profile }: Format, published: Pick<Format, 'profile'>): boolean {
  if (!published.profile) return true;
  switch (codec) {
    case 'h264': {
      const [decoder, needed] = [h264Step(decodedProfile), h264Step(published.profile)];
      return decoder !== undefined && needed !== undefined && decoder >= needed;
    }
    case 'av1':
      // AV1 section A.2: the decoder of a profile decodes those below.
      return Number(profile) >= Number(published.profile);
    case 'vp9':
      return profile === published.profile;
    default:
      return true;
  }
}

/**
 * H.264 section A.2: a decoder of one profile reads those of lower steps: constrained baseline, main, high, high 4:4:4
 * predictive. Baseline counts as constrained baseline and constrained high as high, because browsers and encoders here
 * use nothing of what distinguishes them. Undefined: another profile.
 */
function h264Step(profile: string): number | undefined {
  const constraints = parseInt(profile.slice(2, 4), 16);
  switch (profile.slice(0, 2)) {
    case '42':
      return 0;
    case '4d':
      // With the constraints of baseline, main is constrained baseline.
      return constraints & 0x80 ? 0 : 1;
    case '58':
      // The same is true of extended (RFC 6184 table 5).
      return constraints & 0x80 ? 0 : undefined;
    case '64':
      return 2;
    case 'f4':
      return 3;
    default:
      return undefined;
  }
}
