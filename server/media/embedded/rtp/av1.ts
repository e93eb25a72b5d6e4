import { BitReader } from '../../../bit-reader.js';
import type { FrameSize, PayloadInfo } from './payload-info.js';

const Z_CONTINUES = 0x80;
const W_COUNT = 0x30;
const N_NEW_SEQUENCE = 0x08;
const SEQUENCE_HEADER = 1;
const TEMPORAL_DELIMITER = 2;

/**
 * AV1 RTP specification section 4.4: reads the aggregation header, and the headers of the OBUs that begin in this
 * packet. A packet that only continues an OBU does not contain its layer.
 */
export function readAv1(packet: Uint8Array, start: number, end: number, info: PayloadInfo): void {
  const head = packet[start]!;
  info.startsFrame = (head & Z_CONTINUES) === 0;
  info.startsKeyframe = (head & N_NEW_SEQUENCE) !== 0;
  const count = (head & W_COUNT) >> 4;
  let at = start + 1;
  // The first sequence header tells the size. There could be hundreds.
  let needsHeader = true;
  for (let index = 1; at < end; index++) {
    let length = end - at;
    // If the number of OBUs is known, the last one has no length.
    if (index !== count) {
      [length, at] = leb128(packet, at, end);
      if (at + length > end) return;
    }
    if ((index > 1 || info.startsFrame) && readObu(packet, at, at + length, needsHeader, info)) needsHeader = false;
    at += length;
  }
}

/**
 * AV1 section 5.3: the OBU header with its extension, and the picture size of a sequence header.
 * @returns whether it is a sequence header
 */
function readObu(packet: Uint8Array, start: number, end: number, needsHeader: boolean, info: PayloadInfo): boolean {
  if (start >= end) return false;
  const header = packet[start]!;
  const type = (header >> 3) & 0x0f;
  let at = start + 1;
  if (header & 0x04) {
    if (at >= end) return false;
    if (type !== TEMPORAL_DELIMITER && type !== SEQUENCE_HEADER) {
      info.temporalId = packet[at]! >> 5;
      info.spatialId = (packet[at]! >> 3) & 0x03;
      // The payload does not contain this. It is true of the patterns that browsers use (L1T2, L1T3).
      info.isSwitchingPoint = info.temporalId === 0;
    }
    at++;
  }
  if (type !== SEQUENCE_HEADER) return false;
  if (header & 0x02) at = leb128(packet, at, end)[1];
  const size = needsHeader ? sequenceHeaderSize(new BitReader(packet, at, end)) : undefined;
  if (size) info.sizes.push(size);
  return true;
}

export function leb128(packet: Uint8Array, start: number, end: number): [value: number, next: number] {
  let value = 0;
  let at = start;
  for (let shift = 0; shift < 28 && at < end; shift += 7) {
    const byte = packet[at++]!;
    value += (byte & 0x7f) * 2 ** shift;
    if (!(byte & 0x80)) break;
  }
  return [value, at];
}

/** AV1 section 5.5.1, up to the maximum frame width and height. */
export function sequenceHeaderSize(reader: BitReader): FrameSize | undefined {
  reader.skip(4);
  const reduced = reader.bit();
  if (reduced) reader.skip(5);
  else skipOperatingPoints(reader);
  const widthBits = reader.bits(4) + 1;
  const heightBits = reader.bits(4) + 1;
  const width = reader.bits(widthBits) + 1;
  const height = reader.bits(heightBits) + 1;
  return reader.isPastEnd ? undefined : { width, height };
}

function skipOperatingPoints(reader: BitReader): void {
  let decoderModel = false;
  let delayBits = 0;
  if (reader.bit()) {
    reader.skip(64);
    if (reader.bit()) reader.expGolomb();
    decoderModel = reader.bit() === 1;
    if (decoderModel) {
      delayBits = reader.bits(5) + 1;
      reader.skip(32 + 5 + 5);
    }
  }
  const displayDelay = reader.bit();
  for (let left = reader.bits(5) + 1; left > 0; left--) {
    reader.skip(12);
    const level = reader.bits(5);
    if (level > 7) reader.skip(1);
    if (decoderModel && reader.bit()) reader.skip(2 * delayBits + 1);
    if (displayDelay && reader.bit()) reader.skip(4);
  }
}
