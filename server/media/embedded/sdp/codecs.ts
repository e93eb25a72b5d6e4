import type { TrackKind, VideoCodec } from '../../media-engine.js';

export type Codec = 'opus' | VideoCodec;

/** A way to carry media that an offer names and we know: a codec with its profile, under the offer's number for it. */
export interface Format {
  readonly codec: Codec;
  /** What of a codec must match for a decoder to be sure of it: H.264 profile and constraints, VP9 and AV1 profile. */
  readonly profile: string;
  readonly payloadType: number;
  /** The offer's `a=fmtp` of it, '' when there is none. */
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

export const clockRate = (kind: TrackKind): number => (kind === 'audio' ? 48_000 : 90_000);
export const codecKind = (codec: Codec): TrackKind => (codec === 'opus' ? 'audio' : 'video');

/** Which codec a publisher gets who asks for none. */
const VIDEO_PREFERENCE: readonly VideoCodec[] = ['vp8', 'h264', 'vp9', 'av1'];
/** Which H.264 profile every decoder is most likely to know comes first: constrained baseline, baseline, main. */
const H264_PROFILE_PREFERENCE = ['42e0', '4200', '4d00'];

const CODEC_OF_ENCODING = new Map(
  Object.entries(ENCODINGS).map(([codec, encoding]) => [encoding.toLowerCase(), codec as Codec]),
);

/** @param encoding as in `a=rtpmap`: `VP8/90000`; names of encodings know no case */
export function readFormat(encoding: string, payloadType: number, parameters: string): Format | undefined {
  const codec = CODEC_OF_ENCODING.get(encoding.toLowerCase());
  return codec && { codec, profile: profileOf(codec, parameters), payloadType, parameters };
}

function profileOf(codec: Codec, parameters: string): string {
  switch (codec) {
    case 'h264':
      // RFC 6184 8.1: the level is the last byte. Absent, it is baseline.
      return (parameter(parameters, 'profile-level-id') ?? '42000a').toLowerCase().slice(0, 4);
    case 'vp9':
      return parameter(parameters, 'profile-id') ?? '0';
    case 'av1':
      return parameter(parameters, 'profile') ?? '0';
    default:
      return '';
  }
}

/** One value of an `a=fmtp` line. */
export function parameter(parameters: string, name: string): string | undefined {
  for (const part of parameters.split(';')) {
    const [key, value] = part.trim().split('=');
    if (key?.toLowerCase() === name) return value;
  }
  return undefined;
}

/** RFC 6184 6.2: whether units larger than a packet may be sent in fragments, which every sender here does. */
const takesFragments = ({ codec, parameters }: Format): boolean =>
  codec !== 'h264' || parameter(parameters, 'packetization-mode') === '1';

/** The format to take from a publisher's offer. `codec` absent: the first that we like and the offer has. */
export function chooseFormat(formats: readonly Format[], codec?: VideoCodec): Format | undefined {
  const audio = formats.find((format) => format.codec === 'opus');
  if (audio) return audio;
  const wanted = codec ?? VIDEO_PREFERENCE.find((name) => formats.some((format) => format.codec === name));
  return formats.filter((format) => format.codec === wanted).toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Smaller is better. */
function rank(format: Format): number {
  if (format.codec !== 'h264') return Number(format.profile) || 0;
  const known = H264_PROFILE_PREFERENCE.indexOf(format.profile);
  // A publisher that fragments is worth more than one with the better profile: every viewer takes fragments.
  return (takesFragments(format) ? 0 : 100) + (known < 0 ? H264_PROFILE_PREFERENCE.length : known);
}

/** Every format that a viewer could be sent, one for each codec and profile, in the order of the offer. */
export function sendableFormats(formats: readonly Format[]): Format[] {
  const seen = new Set<string>();
  return formats.filter((format) => {
    const name = `${format.codec} ${format.profile}`;
    return takesFragments(format) && !seen.has(name) && seen.add(name);
  });
}

/** The viewer's own number for what the publisher sends: of the same profile, or the codec's most common. */
export function matchFormat(
  viewer: readonly Format[],
  published: Pick<Format, 'codec' | 'profile'>,
): Format | undefined {
  const same = viewer.filter((format) => format.codec === published.codec);
  return same.find((format) => format.profile === published.profile) ?? same.toSorted((a, b) => rank(a) - rank(b))[0];
}
