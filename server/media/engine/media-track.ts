export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';
export type TrackKind = 'audio' | 'video';
/** Identifies a source of a stream. null: the main source. */
export type SourceId = string | null;

/** The tracks of a source that is no peer. */
export interface AddedTracks {
  readonly audio?: { readonly codec: 'opus' } | undefined;
  readonly video?:
    | {
        readonly codec: VideoCodec;
        /** H.264: the first four digits of `profile-level-id`, such as `6400`; VP9, AV1: the number. Absent: unknown. */
        readonly profile?: string | undefined;
      }
    | undefined;
}

export interface SourceFrame {
  readonly kind: TrackKind;
  /** Video: as `Keyframe.data`. Audio: one Opus packet. */
  readonly data: Buffer;
  readonly isKeyframe: boolean;
  /** On one clock for both kinds. It never wraps, and can be below 0; between the frames of one kind it grows. */
  readonly timestampMs: number;
}

/** A picture that can be decoded without another one, as the encoder of the publisher made it. */
export interface Keyframe {
  readonly codec: VideoCodec;
  /** VP8, VP9: the frame. H.264: NAL units with start codes (annex B). AV1: OBUs with sizes, no temporal delimiter. */
  readonly data: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}
