/**
 * What the payload of a video packet contains. One object is reused for many packets, so copy the values that you keep.
 */
export interface PayloadInfo {
  /** Offset in the payload of the codec's own data, after the payload descriptor. H.264 and AV1 have none. */
  dataAt: number;
  /** A decoder can start here: the first packet of a keyframe, or of the parameter sets before one. */
  startsKeyframe: boolean;
  /** The first packet of a frame, or of a spatial layer's frame. */
  startsFrame: boolean;
  /** The last packet of a spatial layer's frame. Only VP9 and the dependency descriptor mark it. */
  endsFrame: boolean;
  /** -1: there are no layers of that dimension. */
  spatialId: number;
  temporalId: number;
  /**
   * Whether the frame depends on the lowest temporal layer only: a receiver of that layer can switch up to this one.
   */
  isLayerSync: boolean;
  /** Whether later frames of higher temporal layers do not depend on frames before this one. */
  isSwitchingPoint: boolean;
  /** Offset of the picture id in the payload, and its number of bits; -1 and 0 if there is none. */
  pictureIdAt: number;
  pictureIdBits: number;
  pictureId: number;
  /** Offset of the base layer index (TL0PICIDX) in the payload, and its value; -1 and 0 if there is none. */
  baseLayerIndexAt: number;
  baseLayerIndex: number;
  /** Of the dependency descriptor; -1 if there is none. */
  frameNumber: number;
  /** Of a keyframe, by spatial layer, if the payload contains it. */
  readonly sizes: FrameSize[];
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export function emptyPayloadInfo(): PayloadInfo {
  return {
    dataAt: 0,
    startsKeyframe: false,
    startsFrame: false,
    endsFrame: false,
    spatialId: -1,
    temporalId: -1,
    isLayerSync: false,
    isSwitchingPoint: false,
    pictureIdAt: -1,
    pictureIdBits: 0,
    pictureId: 0,
    baseLayerIndexAt: -1,
    baseLayerIndex: 0,
    frameNumber: -1,
    sizes: [],
  };
}
