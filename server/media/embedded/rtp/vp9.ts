import { BitReader } from '../../../bit-reader.js';
import type { FrameSize, PayloadInfo } from './payload-info.js';

const I_PICTURE_ID = 0x80;
const P_INTER_PICTURE = 0x40;
const L_LAYERS = 0x20;
const F_FLEXIBLE = 0x10;
const B_BEGIN = 0x08;
const E_END = 0x04;
const V_STRUCTURE = 0x02;
/** Reference indices of one frame (P_DIFF, RFC 9628 section 4.2). */
const MAX_REFERENCES = 3;

/** RFC 9628 section 4.2: the payload descriptor, and the frame header if the descriptor has no size. */
export function readVp9(packet: Uint8Array, start: number, end: number, info: PayloadInfo): void {
  const descriptor = packet[start]!;
  info.startsFrame = (descriptor & B_BEGIN) !== 0;
  info.endsFrame = (descriptor & E_END) !== 0;
  let at = start + 1;
  if (descriptor & I_PICTURE_ID) {
    const long = at < end && (packet[at]! & 0x80) !== 0;
    if (at + (long ? 1 : 0) >= end) return;
    info.pictureIdAt = at - start;
    info.pictureIdBits = long ? 15 : 7;
    info.pictureId = long ? ((packet[at]! & 0x7f) << 8) | packet[at + 1]! : packet[at]!;
    at += long ? 2 : 1;
  }
  if (descriptor & L_LAYERS) {
    if (at >= end) return;
    const layers = packet[at++]!;
    info.temporalId = layers >> 5;
    info.isSwitchingPoint = (layers & 0x10) !== 0;
    info.spatialId = (layers >> 1) & 0x07;
    if (!(descriptor & F_FLEXIBLE)) {
      if (at < end) {
        info.baseLayerIndexAt = at - start;
        info.baseLayerIndex = packet[at]!;
      }
      at++;
    }
  }
  // It depends on no earlier picture, and is the lowest spatial layer of its picture.
  info.startsKeyframe = info.startsFrame && !(descriptor & P_INTER_PICTURE) && info.spatialId <= 0;
  if (descriptor & F_FLEXIBLE && descriptor & P_INTER_PICTURE) {
    for (let references = 1; at < end && packet[at++]! & 1 && references < MAX_REFERENCES;) references++;
  }
  if (descriptor & V_STRUCTURE) at = readStructure(packet, at, end, info.sizes);
  info.dataAt = at - start;
  if (!info.startsKeyframe) info.sizes.length = 0;
  if (!info.startsKeyframe || info.sizes.length) return;
  const size = frameHeaderSize(new BitReader(packet, at, end));
  if (size) info.sizes.push(size);
}

/**
 * The scalability structure: the size of each spatial layer, and the pattern of pictures.
 * @returns the offset of its end
 */
function readStructure(packet: Uint8Array, start: number, end: number, sizes: FrameSize[]): number {
  if (start >= end) return end;
  const head = packet[start]!;
  const spatialLayers = (head >> 5) + 1;
  let at = start + 1;
  if (head & 0x10) {
    for (let layer = 0; layer < spatialLayers && at + 4 <= end; layer++, at += 4) {
      sizes.push({ width: (packet[at]! << 8) | packet[at + 1]!, height: (packet[at + 2]! << 8) | packet[at + 3]! });
    }
  }
  if (head & 0x08 && at < end) {
    for (let pictures = packet[at++]!; pictures > 0 && at < end; pictures--) at += 1 + ((packet[at]! >> 2) & 0x03);
  }
  return at;
}

const SYNC_CODE = 0x49_83_42;
const SRGB = 7;

/** VP9 bitstream specification section 6.2: the uncompressed header of a keyframe. */
export function frameHeaderSize(reader: BitReader): FrameSize | undefined {
  if (reader.bits(2) !== 2) return undefined;
  const profile = reader.bit() + 2 * reader.bit();
  if (profile === 3) reader.skip(1);
  const showsExisting = reader.bit();
  const isInter = reader.bit();
  reader.skip(2);
  if (showsExisting || isInter || reader.bits(24) !== SYNC_CODE) return undefined;
  if (profile >= 2) reader.skip(1);
  if (reader.bits(3) === SRGB) reader.skip(profile & 1);
  else reader.skip(profile & 1 ? 4 : 1);
  const width = reader.bits(16) + 1;
  const height = reader.bits(16) + 1;
  return reader.isPastEnd ? undefined : { width, height };
}
