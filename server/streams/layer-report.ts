import type { LayerState } from '../media/engine/media-figures.js';

/** The value that existing clients read as "this dimension does not exist". */
const NO_LAYER = 255;

interface Layer {
  readonly encodingId: string;
  readonly simulcastIdx: number;
  readonly spatialLayerId: number;
  readonly temporalLayerId: number;
  readonly bitrate: number;
  readonly totalBitrate: number;
  readonly targetBitrate: number;
  readonly targetWidth: number;
  readonly targetHeight: number;
  readonly width: number;
  readonly height: number;
}

interface InactiveEncoding {
  readonly id: string;
  readonly simulcastIdx: number;
  readonly totalBytes: number;
  readonly numPackets: number;
}

interface Encoding extends InactiveEncoding {
  readonly bitrate: number;
  readonly totalBitrate: number;
  readonly width: number;
  readonly height: number;
  /** The spatial and temporal layers of an SVC encoding; empty for any other. */
  readonly layers: readonly Layer[];
}

interface MediaReport {
  readonly active: readonly Encoding[];
  readonly inactive: readonly InactiveEncoding[];
  /** Every layer that can be selected. */
  readonly layers: readonly Layer[];
}

/** Data of the event `layers`: the layers of each video of a viewer, by the mid of its m-line. */
export interface LayerReport {
  readonly medias: Readonly<Record<string, MediaReport>>;
}

/** The report for a viewer whose m-lines show sources with these layers. */
export function layerReport(layersByMid: Iterable<readonly [mid: string, layers: readonly LayerState[]]>): LayerReport {
  const medias: Record<string, MediaReport> = {};
  for (const [mid, states] of layersByMid) medias[mid] = mediaReport(states);
  return { medias };
}

function mediaReport(states: readonly LayerState[]): MediaReport {
  const active: Encoding[] = [];
  const inactive: InactiveEncoding[] = [];
  for (const id of new Set(states.map(({ encodingId }) => encodingId))) {
    const layers = states.filter(({ encodingId }) => encodingId === id);
    const simulcastIdx = layers[0]!.simulcastIndex;
    const sent = layers.filter((layer) => layer.active);
    const totals = { id, simulcastIdx, totalBytes: sum(layers, 'totalBytes'), numPackets: sum(layers, 'packets') };
    if (sent.length === 0) {
      inactive.push(totals);
      continue;
    }
    const bitrate = sum(sent, 'bitrate');
    const [width, height] = [largest(sent, 'width'), largest(sent, 'height')];
    active.push({
      ...totals,
      bitrate,
      totalBitrate: bitrate,
      width,
      height,
      layers: sent.filter(isScalable).map(toLayer),
    });
  }
  return { active, inactive, layers: states.filter((layer) => layer.active).map(toLayer) };
}

function toLayer(state: LayerState): Layer {
  const {
    encodingId,
    simulcastIndex,
    spatialLayerId = NO_LAYER,
    temporalLayerId = NO_LAYER,
    bitrate,
    width,
    height,
  } = state;
  return {
    encodingId,
    simulcastIdx: simulcastIndex,
    spatialLayerId,
    temporalLayerId,
    bitrate,
    totalBitrate: bitrate,
    // The target of the encoder is not known; the measured values are the best estimate.
    targetBitrate: bitrate,
    targetWidth: width,
    targetHeight: height,
    width,
    height,
  };
}

function isScalable({ spatialLayerId, temporalLayerId }: LayerState): boolean {
  return spatialLayerId !== undefined || temporalLayerId !== undefined;
}

type Amount = 'bitrate' | 'packets' | 'totalBytes';

function sum(layers: readonly LayerState[], amount: Amount): number {
  return layers.reduce((total, layer) => total + layer[amount], 0);
}

function largest(layers: readonly LayerState[], size: 'width' | 'height'): number {
  return layers.reduce((value, layer) => Math.max(value, layer[size]), 0);
}
