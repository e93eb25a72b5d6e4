import type { LayersEvent } from '../../wire/websocket/stream-events.js';
import { field, list, number, text, type Unread } from '../unread.js';

/** Which layer of a video to send. Where it does not exist, the server sends the nearest one below. */
export interface LayerChoice {
  readonly encodingId?: string | undefined;
  readonly spatialLayerId?: number | undefined;
  readonly temporalLayerId?: number | undefined;
  readonly maxSpatialLayerId?: number | undefined;
  readonly maxTemporalLayerId?: number | undefined;
  /** In pixels. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** One layer of the video as the server receives it now. `Viewer.select` takes it as it is. */
export interface VideoLayer extends LayerChoice {
  readonly encodingId: string;
  /** In pixels. 0: not known. */
  readonly width: number;
  readonly height: number;
  /** In bit/s. */
  readonly bitrate: number;
}

/** What the wire writes for a dimension in which the video has no layers. */
const NONE = 255;

/** The layers that the data of `layers` lists for one m-line, the largest first. */
export function readLayers(data: unknown, mid: string): readonly VideoLayer[] {
  return list(field(field(data as Unread<LayersEvent>, 'medias'), mid), 'layers')
    .flatMap((layer) => {
      const encodingId = text(layer, 'encodingId');
      if (encodingId === undefined) return [];
      const layerId = (name: 'spatialLayerId' | 'temporalLayerId'): number | undefined => {
        const id = number(layer, name);
        return id === NONE ? undefined : id;
      };
      return {
        encodingId,
        spatialLayerId: layerId('spatialLayerId'),
        temporalLayerId: layerId('temporalLayerId'),
        width: number(layer, 'width') ?? 0,
        height: number(layer, 'height') ?? 0,
        bitrate: number(layer, 'bitrate') ?? 0,
      };
    })
    .sort((a, b) => b.height - a.height || b.bitrate - a.bitrate);
}

/** The `layer` of `select` and `view`: the fields that choose a layer, and no others. Empty: automatic. */
export function layerData(choice: LayerChoice | 'auto'): LayerChoice {
  if (choice === 'auto') return {};
  const { encodingId, spatialLayerId, temporalLayerId, ...more } = choice;
  const { maxSpatialLayerId, maxTemporalLayerId, maxWidth, maxHeight } = more;
  return { encodingId, spatialLayerId, temporalLayerId, maxSpatialLayerId, maxTemporalLayerId, maxWidth, maxHeight };
}
