import type { AddedTracks, SourceFrame } from '../../media/engine/media-track.js';
import { withoutAuxiliaryUnits, type AvcConfig } from '../../rtmp/avc.js';
import type { MediaFrame } from '../../rtmp/flv-media.js';
import { TimestampLine } from '../../rtmp/timestamp-line.js';

export type VideoFrame = Extract<MediaFrame, { readonly codec: 'h264' } | { readonly codec: 'av1' | 'vp9' }>;
export type AudioFrame = Exclude<MediaFrame, VideoFrame>;

export const isVideo = (frame: MediaFrame): frame is VideoFrame => frame.codec !== 'aac' && frame.codec !== 'opus';

/** What a decoder needs to know of the video before its first frame. */
export type VideoConfig =
  { readonly codec: 'h264'; readonly config: AvcConfig } | { readonly codec: 'av1' | 'vp9'; readonly config: Buffer };

const START_CODE = Buffer.from([0, 0, 0, 1]);
const SEQUENCE_PARAMETERS = 7;
const AV1_SEQUENCE_HEADER = 1;
/** With a size of 0: some encoders begin each frame with it (AV1 section 7.5). Browsers do not need it. */
const AV1_TEMPORAL_DELIMITER = Buffer.from([0x12, 0]);
/** Of an AV1 configuration, before its OBUs. */
const AV1_CONFIG_HEADER = 4;

/** Puts the frames of one encoder on one line of timestamps, in the form that browsers decode. */
export class SourceFrames {
  readonly #line = new TimestampLine();
  #config: VideoConfig | undefined;
  #newestShown = -Infinity;
  #hasBFrames = false;

  /** A frame is shown before one that came earlier: browsers cannot play that without delay. */
  get hasBFrames(): boolean {
    return this.#hasBFrames;
  }

  configure(config: VideoConfig): void {
    this.#config = config;
  }

  /** @returns undefined: there is no picture in it */
  ofVideo(frame: VideoFrame): SourceFrame | undefined {
    const data = this.#dataOf(frame);
    if (data.length === 0) return undefined;
    const timestampMs = this.timeOf('video', frame.timestamp) + frame.compositionTime;
    if (timestampMs < this.#newestShown) this.#hasBFrames = true;
    this.#newestShown = Math.max(this.#newestShown, timestampMs);
    return { kind: 'video', data, isKeyframe: frame.isKeyframe, timestampMs };
  }

  /** On the line that all tracks share. It never goes back. @param timestamp in ms, without wraps */
  timeOf(track: 'audio' | 'video', timestamp: number): number {
    return this.#line.place(track, timestamp);
  }

  #dataOf(frame: VideoFrame): Buffer {
    switch (frame.codec) {
      case 'h264':
        return annexB(this.#completeUnits(frame.data, frame.isKeyframe));
      case 'av1':
        return this.#completeObus(frame.data, frame.isKeyframe);
      default:
        return frame.data;
    }
  }

  /** A viewer who joins needs the parameter sets before each keyframe. Many encoders send them once. */
  #completeUnits(units: readonly Buffer[], isKeyframe: boolean): readonly Buffer[] {
    const needed = withoutAuxiliaryUnits(units);
    const hasParameters = needed.some((unit) => (unit[0]! & 0x1f) === SEQUENCE_PARAMETERS);
    if (!isKeyframe || hasParameters || this.#config?.codec !== 'h264') return needed;
    return [...parameterSetsOf(this.#config.config), ...needed];
  }

  #completeObus(frame: Buffer, isKeyframe: boolean): Buffer {
    const hasDelimiter = frame.subarray(0, AV1_TEMPORAL_DELIMITER.length).equals(AV1_TEMPORAL_DELIMITER);
    const data = hasDelimiter ? frame.subarray(AV1_TEMPORAL_DELIMITER.length) : frame;
    const hasSequence = data.length > 0 && ((data[0]! >> 3) & 0x0f) === AV1_SEQUENCE_HEADER;
    if (data.length === 0 || !isKeyframe || hasSequence || this.#config?.codec !== 'av1') return data;
    return Buffer.concat([this.#config.config.subarray(AV1_CONFIG_HEADER), data]);
  }
}

/** The video track as the media engine needs to know it. */
export function videoTrackOf({ codec, config }: VideoConfig): NonNullable<AddedTracks['video']> {
  if (codec !== 'h264') return { codec };
  const [sequence] = config.sequenceParameterSets;
  // After the header of the NAL unit: the profile, and its constraints.
  return { codec, profile: sequence?.subarray(1, 3).toString('hex') };
}

const parameterSetsOf = ({ sequenceParameterSets, pictureParameterSets }: AvcConfig): readonly Buffer[] => [
  ...sequenceParameterSets,
  ...pictureParameterSets,
];

const annexB = (units: readonly Buffer[]): Buffer => Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
