import type { LayerState } from '../../engine/media-figures.js';
import type { RtpEncoding } from './rtp-encoding.js';
import type { LayerSample } from './layer-stats.js';

/** Every layer of every encoding, for layer selection. */
export function sourceLayers(encodings: readonly RtpEncoding[]): LayerState[] {
  return encodings.flatMap((encoding) => {
    const samples = encoding.stats.samples();
    if (!samples.length) return [stateFrom(encoding, [], {})];
    const spatial = !encoding.hasSelectableSpatialLayers ? 0 : count(samples, ({ spatialId }) => spatialId);
    const temporal = count(samples, ({ temporalId }) => temporalId);
    const groups = new Map<string, LayerSample[]>();
    for (const layer of samples) {
      const key = `${spatial > 1 ? layer.spatialId : 0},${temporal > 1 ? layer.temporalId : 0}`;
      groups.set(key, [...(groups.get(key) ?? []), layer]);
    }
    return [...groups.values()].map((group) => {
      const { spatialId, temporalId } = group[0]!;
      return stateFrom(encoding, group, {
        ...(spatial > 1 ? { spatialLayerId: spatialId } : {}),
        ...(temporal > 1 ? { temporalLayerId: temporalId } : {}),
      });
    });
  });
}

/** The layers as viewers see them: one entry for each simulcast encoding, or the layers of a single encoding. */
export function reportedLayers(encodings: readonly RtpEncoding[]): LayerState[] {
  if (encodings.length === 1) return sourceLayers(encodings);
  return encodings.map((encoding) => stateFrom(encoding, encoding.stats.samples(), {}));
}

function stateFrom(
  encoding: RtpEncoding,
  samples: readonly LayerSample[],
  layer: Pick<LayerState, 'spatialLayerId' | 'temporalLayerId'>,
): LayerState {
  const sum = (value: (sample: LayerSample) => number) => samples.reduce((total, sample) => total + value(sample), 0);
  const packets = sum(({ packets }) => packets);
  const isSent =
    samples.length === 0 ||
    samples.some(({ spatialId, temporalId }) =>
      encoding.isLayerActive(Math.max(0, spatialId), Math.max(0, temporalId)),
    );
  // The highest layer gives the size of the whole picture.
  const size = samples.findLast(({ size }) => size)?.size;
  return {
    encodingId: encoding.id,
    simulcastIndex: encoding.rank,
    ...layer,
    active: encoding.active && (encoding.stats.isNew || (packets > 0 && isSent)),
    bitrate: sum(({ bitrate }) => bitrate),
    packets,
    totalBytes: sum(({ totalBytes }) => totalBytes),
    width: size?.width ?? 0,
    height: size?.height ?? 0,
  };
}

const count = (samples: readonly LayerSample[], id: (layer: LayerSample) => number): number =>
  new Set(samples.map(id).filter((value) => value >= 0)).size;
