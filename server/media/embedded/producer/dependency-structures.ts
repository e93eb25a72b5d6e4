import { isSwitchingPoint, readDependencyDescriptor, type TemplateStructure } from '../rtp/dependency-descriptor.js';
import { extensionLength, findExtension } from '../rtp/header-extensions.js';
import { KEPT_IDS } from '../rtp/kept-extensions.js';
import type { MediaPacket } from './media-packet.js';

const EXTENSION_BIT = 0x10;
/** Packets of the previous keyframe may be sent again. */
const REMEMBERED = 2;

/** Reads the layers of an encoding's packets from their dependency descriptors, which refer to the last keyframe. */
export class DependencyStructures {
  /** Newest first. */
  #structures: readonly TemplateStructure[] = [];
  #learnedAt = -1;
  #activeTargets: number | undefined;

  /** Whether packets name their layers. */
  get isKnown(): boolean {
    return this.#structures.length > 0;
  }

  /** Completes what the payload says about the frame and its layer. A packet without a descriptor is left as it is. */
  read({ packet, sequence, payload }: MediaPacket): void {
    if (!(packet[0]! & EXTENSION_BIT)) return;
    const at = findExtension(packet, KEPT_IDS.dependencyDescriptor);
    if (at < 0) return;
    const descriptor = readDependencyDescriptor(packet, at, extensionLength(packet, at), this.#structures);
    if (!descriptor) return;
    const { template, structure, activeDecodeTargets } = descriptor;
    if (sequence >= this.#learnedAt) {
      if (structure) this.#learn(structure, sequence);
      if (activeDecodeTargets !== undefined) this.#activeTargets = activeDecodeTargets;
    }
    payload.frameNumber = descriptor.frameNumber;
    payload.spatialId = template.spatialId;
    payload.temporalId = template.temporalId;
    payload.startsFrame = descriptor.startOfFrame;
    payload.endsFrame = descriptor.endOfFrame;
    payload.isSwitchingPoint = isSwitchingPoint(descriptor, (structure ?? this.#structures[0]!).decodeTargets);
    if (!structure?.sizes.length) return;
    payload.sizes.length = 0;
    payload.sizes.push(...structure.sizes);
  }

  /** Whether the encoder sends this layer. */
  isActive(spatialId: number, temporalId: number): boolean {
    const active = this.#activeTargets;
    const targets = this.#structures[0]?.decodeTargets;
    if (active === undefined || !targets) return true;
    return targets.some(
      (target, index) =>
        target.spatialId >= spatialId && target.temporalId >= temporalId && Math.floor(active / 2 ** index) % 2 === 1,
    );
  }

  #learn(structure: TemplateStructure, sequence: number): void {
    this.#learnedAt = sequence;
    this.#structures = [structure, ...this.#structures].slice(0, REMEMBERED);
  }
}
