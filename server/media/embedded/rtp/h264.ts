import { BitReader } from '../../../bit-reader.js';
import type { FrameSize, PayloadInfo } from './payload-info.js';

const IDR = 5;
const SEQUENCE_PARAMETERS = 7;
const STAP_A = 24;
const FU_A = 28;

/** RFC 6184 section 5: finds an IDR slice or a sequence parameter set, alone, aggregated or as the first fragment. */
export function readH264(packet: Uint8Array, start: number, end: number, info: PayloadInfo): void {
  const type = packet[start]! & 0x1f;
  if (type === FU_A) {
    // Parameter sets are small and never fragmented.
    info.startsFrame = start + 1 < end && (packet[start + 1]! & 0x80) !== 0;
    info.startsKeyframe = info.startsFrame && (packet[start + 1]! & 0x1f) === IDR;
    return;
  }
  info.startsFrame = true;
  if (type !== STAP_A) return void readNalUnit(packet, start, end, true, info);
  // The first set tells the size. There could be hundreds.
  let needsSet = true;
  for (let at = start + 1; at + 2 < end;) {
    const next = at + 2 + ((packet[at]! << 8) | packet[at + 1]!);
    if (readNalUnit(packet, at + 2, Math.min(next, end), needsSet, info)) needsSet = false;
    at = next;
  }
}

/** @returns whether it is a sequence parameter set */
function readNalUnit(packet: Uint8Array, start: number, end: number, needsSet: boolean, info: PayloadInfo): boolean {
  const type = packet[start]! & 0x1f;
  if (type === IDR) info.startsKeyframe = true;
  if (type !== SEQUENCE_PARAMETERS) return false;
  info.startsKeyframe = true;
  const size = needsSet ? parameterSetSize(packet, start + 1, end) : undefined;
  if (size) info.sizes.push(size);
  return true;
}

/** Profiles whose sequence parameter sets describe the colour format (H.264 section 7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** H.264 section 7.3.2.1.1, up to the cropping of the picture. @param start after the header of the unit */
export function parameterSetSize(packet: Uint8Array, start: number, end: number): FrameSize | undefined {
  const bytes = withoutEmulationPrevention(packet, start, end);
  const reader = new BitReader(bytes, 0, bytes.length);
  const profile = reader.bits(8);
  reader.skip(16);
  reader.expGolomb();
  let chroma = 1;
  if (HIGH_PROFILES.has(profile)) {
    chroma = reader.expGolomb();
    if (chroma === 3) reader.skip(1);
    reader.expGolomb();
    reader.expGolomb();
    reader.skip(1);
    if (reader.bit())
      for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) if (reader.bit()) skipScalingList(reader, list);
  }
  reader.expGolomb();
  const orderType = reader.expGolomb();
  if (orderType === 0) reader.expGolomb();
  else if (orderType === 1) {
    reader.skip(1);
    reader.expGolomb();
    reader.expGolomb();
    for (let left = Math.min(255, reader.expGolomb()); left > 0; left--) reader.expGolomb();
  }
  reader.expGolomb();
  reader.skip(1);
  const widthInBlocks = reader.expGolomb() + 1;
  const heightInUnits = reader.expGolomb() + 1;
  const framesOnly = reader.bit();
  if (!framesOnly) reader.skip(1);
  reader.skip(1);
  const crop = reader.bit()
    ? [reader.expGolomb(), reader.expGolomb(), reader.expGolomb(), reader.expGolomb()]
    : [0, 0, 0, 0];
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1;
  const cropY = (chroma === 1 ? 2 : 1) * (2 - framesOnly);
  const width = 16 * widthInBlocks - cropX * (crop[0]! + crop[1]!);
  const height = 16 * heightInUnits * (2 - framesOnly) - cropY * (crop[2]! + crop[3]!);
  const plausible = !reader.isPastEnd && width > 0 && height > 0 && width <= 16_384 && height <= 16_384;
  return plausible ? { width, height } : undefined;
}

function skipScalingList(reader: BitReader, list: number): void {
  let last = 8;
  for (let index = 0; index < (list < 6 ? 16 : 64) && last !== 0; index++) {
    last = (last + reader.signedExpGolomb()) & 0xff;
  }
}

/** H.264 section 7.4.1: removes each 3 after two zeros, which prevents false start codes. */
function withoutEmulationPrevention(packet: Uint8Array, start: number, end: number): Uint8Array {
  // The size is within the first bytes.
  const bytes = new Uint8Array(Math.min(end - start, 256));
  let length = 0;
  let zeros = 0;
  for (let at = start; at < end && length < bytes.length; at++) {
    const byte = packet[at]!;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}
