import { field, list, number, text } from '../decode.js';

/** Which layer of a video to send. What does not exist is answered with the nearest below. */
export interface LayerChoice {
  readonly encodingId?: string | undefined;
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  readonly maxSpatialLayerId?: number | undefined;
  readonly maxTemporalLayerId?: number | undefined;
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** One layer of the video, as it comes in at the server now. It can be given to `select` as it is. */
export interface VideoLayer extends LayerChoice {
  readonly encodingId: string;
  /** 0: not known. */
  readonly width: number;
  readonly height: number;
  /** In bit/s. */
  readonly bitrate: number;
}

/** How the wire writes that a video does not come in such layers. */
const NONE = 255;

/** The layers that `layers` tells of one m-line, the largest first. */
export function readLayers(data: unknown, mid: string): readonly VideoLayer[] {
  return list(field(field(data, 'medias'), mid), 'layers')
    .flatMap((layer) => {
      const encodingId = text(layer, 'encodingId');
      if (encodingId === undefined) return [];
      return {
        encodingId,
        spatialLayerId: layerId(layer, 'spatialLayerId'),
        temporalLayerId: layerId(layer, 'temporalLayerId'),
        width: number(layer, 'width') ?? 0,
        height: number(layer, 'height') ?? 0,
        bitrate: number(layer, 'bitrate') ?? 0,
      };
    })
    .sort((a, b) => b.height - a.height || b.bitrate - a.bitrate);
}

/** `select`'s and `view`'s `layer`: of what was given, that which chooses. Empty: automatic. */
export function layerData(choice: LayerChoice | 'auto'): LayerChoice {
  if (choice === 'auto') return {};
  const { encodingId, spatialLayerId, temporalLayerId, ...more } = choice;
  const { maxSpatialLayerId, maxTemporalLayerId, maxWidth, maxHeight } = more;
  return { encodingId, spatialLayerId, temporalLayerId, maxSpatialLayerId, maxTemporalLayerId, maxWidth, maxHeight };
}

function layerId(layer: unknown, name: string): number | undefined {
  const id = number(layer, name);
  return id === NONE ? undefined : id;
}
