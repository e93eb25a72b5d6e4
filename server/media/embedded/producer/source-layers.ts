import type { LayerState } from '../../media-engine.js';
import type { RtpEncoding } from './rtp-encoding.js';
import type { LayerSample } from './layer-stats.js';

/** Each layer of each encoding by itself: what must be known to choose between them. */
export function sourceLayers(encodings: readonly RtpEncoding[]): LayerState[] {
  return encodings.flatMap((encoding) => {
    const measured = encoding.stats.samples();
    if (!measured.length) return [stateOf(encoding, [], {})];
    // AV1's spatial layers are forwarded whole.
    const spatial = encoding.format.codec === 'av1' ? 0 : count(measured, ({ spatialId }) => spatialId);
    const temporal = count(measured, ({ temporalId }) => temporalId);
    const groups = new Map<string, LayerSample[]>();
    for (const layer of measured) {
      const key = `${spatial > 1 ? layer.spatialId : 0},${temporal > 1 ? layer.temporalId : 0}`;
      groups.set(key, [...(groups.get(key) ?? []), layer]);
    }
    return [...groups.values()].map((group) => {
      const { spatialId, temporalId } = group[0]!;
      return stateOf(encoding, group, {
        ...(spatial > 1 ? { spatialLayerId: spatialId } : {}),
        ...(temporal > 1 ? { temporalLayerId: temporalId } : {}),
      });
    });
  });
}

/**
 * What viewers are told: of several encodings one entry each, as clients count them (wire-facts 3.3); of a scalable
 * one its layers.
 */
export function reportedLayers(encodings: readonly RtpEncoding[]): LayerState[] {
  if (encodings.length === 1) return sourceLayers(encodings);
  return encodings.map((encoding) => stateOf(encoding, encoding.stats.samples(), {}));
}

function stateOf(
  encoding: RtpEncoding,
  measured: readonly LayerSample[],
  layer: Pick<LayerState, 'spatialLayerId' | 'temporalLayerId'>,
): LayerState {
  const sum = (figure: (layer: LayerSample) => number) => measured.reduce((total, one) => total + figure(one), 0);
  const packets = sum((one) => one.packets);
  // The highest layer's: that is what is seen of all of them.
  const size = measured.findLast((one) => one.size)?.size;
  return {
    encodingId: encoding.id,
    simulcastIndex: encoding.index,
    ...layer,
    active: encoding.active && (packets > 0 || encoding.stats.isNew),
    bitrate: sum(({ bitrate }) => bitrate),
    packets,
    totalBytes: sum(({ totalBytes }) => totalBytes),
    width: size?.width ?? 0,
    height: size?.height ?? 0,
  };
}

const count = (measured: readonly LayerSample[], id: (layer: LayerSample) => number): number =>
  new Set(measured.map(id).filter((value) => value >= 0)).size;
