/** A frame that is split into packets. */
export interface FrameToSend {
  /** As `Keyframe.data`. */
  readonly data: Buffer;
  readonly isKeyframe: boolean;
  /** Counts the frames of the track. */
  readonly number: number;
}
