import type { LayersEvent } from '../../wire/websocket/stream-events.js';
import { field, list, number, text, type Unread } from '../unread.js';

/** The layer of a video to send. If it does not exist, the server sends the nearest lower one. */
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

/** One layer of the video that the server receives now. It can be passed to `Viewer.select`. */
export interface VideoLayer extends LayerChoice {
  readonly encodingId: string;
  /** In pixels. 0: not known. */
  readonly width: number;
  readonly height: number;
  /** In bit/s. */
  readonly bitrate: number;
}

/** The layer id for a dimension in which the video has no layers. */
const NONE = 255;

/** The layers of one m-line in the data of the event `layers`, the largest first. */
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

/** The `layer` of `select` and `view`: only the fields that select a layer. Empty: automatic. */
export function layerData(choice: LayerChoice | 'auto'): LayerChoice {
  if (choice === 'auto') return {};
  const {
    width: _width,
    height: _height,
    bitrate: _bitrate,
    ...layer
  }: LayerChoice & Partial<Omit<VideoLayer, keyof LayerChoice>> = choice;
  return layer;
}
