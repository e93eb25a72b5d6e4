import { BitReader } from '../../../bit-reader.js';
import type { FrameSize } from './payload-info.js';

/*
 * The dependency descriptor: a header extension by which a packet names the layer of its frame, and for each decode
 * target (a spatial and a temporal layer with all that they need) whether the frame belongs to it. AV1 RTP
 * specification, appendix A. The names are those of the specification.
 */

/** How a frame relates to a decode target (section A.4): two bits. */
const NOT_PRESENT = 0;
const SWITCH = 2;

/** What the frames of a layer have in common. */
export interface FrameTemplate {
  readonly spatialId: number;
  readonly temporalId: number;
  /** By decode target: `DTI`. */
  readonly indications: Uint8Array;
}

/** The templates of the frames that follow a keyframe. */
export interface TemplateStructure {
  readonly templateIdOffset: number;
  readonly templates: readonly FrameTemplate[];
  readonly decodeTargets: readonly DecodeTarget[];
  /** By spatial layer; empty: not told. */
  readonly sizes: readonly FrameSize[];
}

/** The highest layers that a decode target has. */
export interface DecodeTarget {
  readonly spatialId: number;
  readonly temporalId: number;
}

/** What one packet says. */
export interface DependencyDescriptor {
  readonly startOfFrame: boolean;
  readonly endOfFrame: boolean;
  readonly frameNumber: number;
  readonly template: FrameTemplate;
  /** Of the frame: those of the template, unless the frame has its own. */
  readonly indications: Uint8Array;
  /** With the first packet of a keyframe. */
  readonly structure: TemplateStructure | undefined;
  /** One bit for each decode target, the first one lowest. Undefined: as before. */
  readonly activeDecodeTargets: number | undefined;
}

/** Without a structure of its own. */
export const MANDATORY_BYTES = 3;
const MAX_TEMPLATES = 64;
const MAX_SPATIAL_ID = 3;
const MAX_TEMPORAL_ID = 7;

/**
 * @param structures that came before: the newest whose templates include that of the packet counts
 * @returns undefined: it cannot be read, or its structure is not known
 */
export function readDependencyDescriptor(
  bytes: Uint8Array,
  start: number,
  length: number,
  structures: readonly TemplateStructure[],
): DependencyDescriptor | undefined {
  if (length < MANDATORY_BYTES) return undefined;
  const reader = new BitReader(bytes, start, start + length);
  const startOfFrame = reader.bit() === 1;
  const endOfFrame = reader.bit() === 1;
  const templateId = reader.bits(6);
  const frameNumber = reader.bits(16);
  const isExtended = length > MANDATORY_BYTES;
  const hasStructure = isExtended && reader.bit() === 1;
  const hasActiveTargets = isExtended && reader.bit() === 1;
  const hasIndications = isExtended && reader.bit() === 1;
  // Whether the frame depends on other frames than its template says. Nothing here needs the frames themselves.
  reader.skip(isExtended ? 2 : 0);
  const own = hasStructure ? readStructure(reader) : undefined;
  if (hasStructure && !own) return undefined;
  const structure = own ?? structures.find((each) => templateOf(each, templateId) !== undefined);
  const template = structure && templateOf(structure, templateId);
  if (!structure || !template) return undefined;
  const count = structure.decodeTargets.length;
  const allTargets = 2 ** count - 1;
  const activeDecodeTargets = hasActiveTargets ? reader.bits(count) : own ? allTargets : undefined;
  const indications = hasIndications ? readIndications(reader, count) : template.indications;
  if (reader.isPastEnd) return undefined;
  return { startOfFrame, endOfFrame, frameNumber, template, indications, structure: own, activeDecodeTargets };
}

/**
 * Whether later frames of the higher temporal layers, up to the highest, do not depend on what came before this frame:
 * a receiver that dropped them can go up.
 */
export function isSwitchingPoint(
  { template, indications }: DependencyDescriptor,
  targets: readonly DecodeTarget[],
): boolean {
  let isAbove = false;
  for (const [index, target] of targets.entries()) {
    if (target.spatialId !== template.spatialId || target.temporalId <= template.temporalId) continue;
    isAbove = true;
    if (indications[index] !== SWITCH) return false;
  }
  return isAbove;
}

function templateOf({ templateIdOffset, templates }: TemplateStructure, id: number): FrameTemplate | undefined {
  return templates[(id + MAX_TEMPLATES - templateIdOffset) % MAX_TEMPLATES];
}

/** `template_dependency_structure`. Undefined: it cannot be read. */
function readStructure(reader: BitReader): TemplateStructure | undefined {
  const templateIdOffset = reader.bits(6);
  const targetCount = reader.bits(5) + 1;
  const layers = readLayers(reader);
  if (!layers) return undefined;
  const templates = layers.map(({ spatialId, temporalId }) => ({
    spatialId,
    temporalId,
    indications: readIndications(reader, targetCount),
  }));
  for (const _template of templates) while (reader.bit() && !reader.isPastEnd) reader.skip(4);
  skipChains(reader, targetCount, templates.length);
  const highest = templates.at(-1)!.spatialId;
  const sizes = reader.bit() ? readSizes(reader, highest + 1) : [];
  if (reader.isPastEnd) return undefined;
  const decodeTargets = Array.from({ length: targetCount }, (_, target) => decodeTargetOf(templates, target));
  return { templateIdOffset, templates, decodeTargets, sizes };
}

/** `template_layers`: the layers of the templates. */
function readLayers(reader: BitReader): DecodeTarget[] | undefined {
  const layers: DecodeTarget[] = [];
  let spatialId = 0;
  let temporalId = 0;
  while (layers.length < MAX_TEMPLATES && !reader.isPastEnd) {
    layers.push({ spatialId, temporalId });
    const next = reader.bits(2);
    if (next === 3) return layers;
    if (next === 1) temporalId++;
    if (next === 2) {
      temporalId = 0;
      spatialId++;
    }
    if (spatialId > MAX_SPATIAL_ID || temporalId > MAX_TEMPORAL_ID) return undefined;
  }
  return undefined;
}

function readIndications(reader: BitReader, targetCount: number): Uint8Array {
  const indications = new Uint8Array(targetCount);
  for (let target = 0; target < targetCount; target++) indications[target] = reader.bits(2);
  return indications;
}

function skipChains(reader: BitReader, targetCount: number, templateCount: number): void {
  const chains = nonSymmetric(reader, targetCount + 1);
  if (chains === 0) return;
  for (let target = 0; target < targetCount; target++) nonSymmetric(reader, chains);
  reader.skip(4 * chains * templateCount);
}

function readSizes(reader: BitReader, count: number): FrameSize[] {
  return Array.from({ length: count }, () => ({ width: reader.bits(16) + 1, height: reader.bits(16) + 1 }));
}

function decodeTargetOf(templates: readonly FrameTemplate[], target: number): DecodeTarget {
  const present = templates.filter(({ indications }) => indications[target] !== NOT_PRESENT);
  return {
    spatialId: Math.max(0, ...present.map(({ spatialId }) => spatialId)),
    temporalId: Math.max(0, ...present.map(({ temporalId }) => temporalId)),
  };
}

/** `ns(n)`: a number below `n` in as few bits as it needs. */
function nonSymmetric(reader: BitReader, n: number): number {
  const bits = Math.floor(Math.log2(n)) + 1;
  const short = 2 ** bits - n;
  const value = reader.bits(bits - 1);
  return value < short ? value : 2 * value - short + reader.bit();
}
