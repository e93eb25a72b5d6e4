import { BitWriter } from './bit-writer.js';

export interface DescriptorParts {
  readonly start?: boolean;
  readonly end?: boolean;
  readonly spatial?: number;
  readonly temporal?: number;
  readonly frameNumber?: number;
  /** Sends the structure of the layers along. */
  readonly keyframe?: boolean;
  /** One bit for each decode target, the first one lowest. */
  readonly activeTargets?: number;
}

const TEMPLATE_ID_OFFSET = 60;
const CODES = { '-': 0, D: 1, S: 2, R: 3 } as const;

/**
 * The descriptors of an encoding with so many layers, as in L3T2: a template and a decode target for each layer. Lower
 * layers of a frame are required, and the lowest temporal layer lets receivers go up.
 */
export function descriptorsOf(spatialLayers: number, temporalLayers: number) {
  const layers = Array.from({ length: spatialLayers * temporalLayers }, (_, index) => ({
    spatial: Math.floor(index / temporalLayers),
    temporal: index % temporalLayers,
  }));
  const indication = (layer: (typeof layers)[number], target: (typeof layers)[number]): keyof typeof CODES => {
    if (layer.spatial > target.spatial || layer.temporal > target.temporal) return '-';
    if (layer.temporal === 0) return 'S';
    return layer.temporal === target.temporal ? 'D' : 'R';
  };

  function structure(bits: BitWriter): void {
    bits.write(TEMPLATE_ID_OFFSET, 6).write(layers.length - 1, 5);
    for (const [index, { spatial }] of layers.entries()) {
      const next = layers[index + 1];
      bits.write(next === undefined ? 3 : next.spatial > spatial ? 2 : 1, 2);
    }
    for (const layer of layers) for (const target of layers) bits.write(CODES[indication(layer, target)], 2);
    // One frame that each depends on: the previous of its layer.
    for (const _layer of layers) bits.write(1, 1).write(3, 4).write(0, 1);
    // No chains: the number 0 of ns(n).
    bits.write(0, Math.floor(Math.log2(layers.length + 1)));
    bits.write(1, 1);
    for (let spatial = 0; spatial < spatialLayers; spatial++) {
      const scale = 2 ** (spatialLayers - 1 - spatial);
      bits.write(1280 / scale - 1, 16).write(720 / scale - 1, 16);
    }
  }

  return ({
    start = true,
    end = true,
    spatial = 0,
    temporal = 0,
    frameNumber = 0,
    keyframe = false,
    activeTargets,
  }: DescriptorParts): Buffer => {
    const template = (TEMPLATE_ID_OFFSET + spatial * temporalLayers + temporal) % 64;
    const bits = new BitWriter()
      .write(start ? 1 : 0, 1)
      .write(end ? 1 : 0, 1)
      .write(template, 6)
      .write(frameNumber, 16);
    if (!keyframe && activeTargets === undefined) return bits.bytes();
    bits.write(keyframe ? 1 : 0, 1).write(activeTargets === undefined ? 0 : 1, 1);
    bits.write(0, 3);
    if (keyframe) structure(bits);
    if (activeTargets !== undefined) bits.write(activeTargets, layers.length);
    return bits.bytes();
  };
}
