import { readAacConfig, type AacConfig } from './aac-config.js';
import { nalUnitsOf, readAvcConfig, type AvcConfig } from './avc.js';
import { readAudioTag, readVideoTag, type FlvTag } from './flv-tag.js';
import type { MediaMessage } from './rtmp-message.js';
import { readMetadata, type StreamMetadata } from './stream-metadata.js';
import { TimestampUnwrapper } from './timestamp-line.js';

/** Timestamps are in ms on one line for audio and video. They do not wrap, and they go where the encoder says. */
interface Timed {
  readonly timestamp: number;
}

/** What decoders need before the first frame. It can come again, with other values. */
export type MediaConfig = Timed & { readonly kind: 'config' } & (
    | { readonly codec: 'h264'; readonly config: AvcConfig }
    | { readonly codec: 'aac'; readonly config: AacConfig }
    /** `AV1CodecConfigurationRecord`, `VPCodecConfigurationRecord`, or `OpusHead`. */
    | { readonly codec: 'av1' | 'vp9' | 'opus'; readonly config: Buffer }
  );

/** One access unit, in the order of decoding. */
export type MediaFrame = Timed & { readonly kind: 'frame' } & (
    | {
        readonly codec: 'h264';
        /** In ms: the frame is shown so much later than `timestamp`. Not 0 for all frames: the stream has B-frames. */
        readonly compositionTime: number;
        /** An IDR picture: decoding can start here. */
        readonly isKeyframe: boolean;
        /** NAL units without lengths and start codes, all that came. */
        readonly data: readonly Buffer[];
      }
    | {
        readonly codec: 'av1' | 'vp9';
        readonly compositionTime: 0;
        readonly isKeyframe: boolean;
        readonly data: Buffer;
      }
    | { readonly codec: 'aac' | 'opus'; readonly compositionTime: 0; readonly isKeyframe: true; readonly data: Buffer }
  );

export type MediaEvent =
  | MediaConfig
  | MediaFrame
  /** The encoder says that the track ends. */
  | (Timed & { readonly kind: 'end'; readonly codec: Codec })
  | { readonly kind: 'metadata'; readonly metadata: StreamMetadata }
  /** Once for each codec. The message is for the person at the encoder. */
  | { readonly kind: 'unsupported'; readonly track: 'audio' | 'video'; readonly message: string }
  /** The message was dropped: it is broken, or its config did not come. */
  | { readonly kind: 'unreadable'; readonly track: 'audio' | 'video' };

type Codec = MediaFrame['codec'];

const VIDEO: Readonly<Record<string, 'h264' | 'av1' | 'vp9'>> = { avc1: 'h264', av01: 'av1', vp09: 'vp9' };
const AUDIO: Readonly<Record<string, 'aac' | 'opus'>> = { mp4a: 'aac', Opus: 'opus' };
/** How people know other codecs. Those without a FourCC are named as in `flv-tag.ts`. */
const NAMES: Readonly<Record<string, string>> = {
  hvc1: 'HEVC (H.265)',
  vvc1: 'VVC (H.266)',
  vp08: 'VP8',
  VP6: 'VP6',
  'H.263': 'H.263',
  '.mp3': 'MP3',
  fLaC: 'FLAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  'G.711': 'G.711',
  Speex: 'Speex',
};
const IDR_PICTURE = 5;

/** Reads the media messages of one encoder. It never throws. Payloads are not copied. */
export class FlvMedia {
  readonly #timestamps = new TimestampUnwrapper();
  readonly #reported = new Set<string>();
  #avc: AvcConfig | undefined;
  #aac: AacConfig | undefined;

  /** @returns undefined: the message has no media */
  read({ kind, timestamp, payload }: MediaMessage): MediaEvent | undefined {
    if (kind === 'data') {
      const metadata = readMetadata(payload);
      return metadata && { kind: 'metadata', metadata };
    }
    const tag = kind === 'video' ? readVideoTag(payload) : readAudioTag(payload);
    if (tag === 'ignored') return undefined;
    const event = tag === 'invalid' ? undefined : this.#event(kind, tag, this.#timestamps.unwrap(timestamp));
    return event === 'reported' ? undefined : (event ?? { kind: 'unreadable', track: kind });
  }

  #event(track: 'audio' | 'video', tag: FlvTag & object, timestamp: number): MediaEvent | 'reported' | undefined {
    const codec = (track === 'video' ? VIDEO : AUDIO)[tag.codec];
    if (!codec) return this.#unsupported(track, tag.codec);
    if (tag.packet === 'end') return { kind: 'end', codec, timestamp };
    const { body: data, isKeyframe, compositionTime } = tag;
    if (data.length === 0) return undefined;
    const isConfig = tag.packet === 'config';
    switch (codec) {
      case 'h264': {
        if (isConfig) {
          const config = (this.#avc = readAvcConfig(data));
          return config && { kind: 'config', codec, timestamp, config };
        }
        const units = this.#avc && nalUnitsOf(data, this.#avc.lengthBytes);
        if (!units || units.length === 0) return undefined;
        const isIdr = units.some((unit) => (unit[0]! & 0x1f) === IDR_PICTURE);
        return { kind: 'frame', codec, timestamp, compositionTime, isKeyframe: isIdr, data: units };
      }
      case 'aac': {
        if (!isConfig) return this.#aac && { kind: 'frame', codec, timestamp, ...WHOLE, data };
        const config = (this.#aac = readAacConfig(data));
        return config && { kind: 'config', codec, timestamp, config };
      }
      case 'opus':
        if (isConfig) return { kind: 'config', codec, timestamp, config: data };
        return { kind: 'frame', codec, timestamp, ...WHOLE, data };
      default:
        if (isConfig) return { kind: 'config', codec, timestamp, config: data };
        return { kind: 'frame', codec, timestamp, compositionTime: 0, isKeyframe, data };
    }
  }

  #unsupported(track: 'audio' | 'video', codec: string): MediaEvent | 'reported' {
    const name = NAMES[codec] ?? `This ${track} codec`;
    if (this.#reported.has(name)) return 'reported';
    this.#reported.add(name);
    const advice = track === 'video' ? 'H.264, AV1 or VP9' : 'AAC or Opus';
    return { kind: 'unsupported', track, message: `${name} is not supported. Set the ${track} encoder to ${advice}` };
  }
}

/** Every frame of audio can be decoded by itself. */
const WHOLE = { compositionTime: 0, isKeyframe: true } as const;
