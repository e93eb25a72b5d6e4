import type { PayloadInfo } from './payload.js';

/** RFC 7741: the payload descriptor (4.2), and of a keyframe the beginning of its header (RFC 6386 9.1). */
export function readVp8(packet: Uint8Array, start: number, end: number, info: PayloadInfo): void {
  const descriptor = packet[start]!;
  // S: the start of a partition; PID 0: the first, where the frame begins.
  info.startsFrame = (descriptor & 0x17) === 0x10;
  let at = start + 1;
  if (descriptor & 0x80) {
    const extension = at < end ? packet[at++]! : 0;
    if (extension & 0x80) {
      const long = at < end && (packet[at]! & 0x80) !== 0;
      if (at + (long ? 1 : 0) >= end) return;
      info.pictureIdAt = at - start;
      info.pictureIdBits = long ? 15 : 7;
      info.pictureId = long ? ((packet[at]! & 0x7f) << 8) | packet[at + 1]! : packet[at]!;
      at += long ? 2 : 1;
    }
    if (extension & 0x40) {
      if (at < end) info.baseLayerIndexAt = at - start;
      at++;
    }
    if (extension & 0x30) {
      if (at < end && extension & 0x20) {
        info.temporalId = packet[at]! >> 6;
        info.isLayerSync = (packet[at]! & 0x20) !== 0;
      }
      at++;
    }
  }
  // P, the inverse key frame bit.
  if (!info.startsFrame || at >= end || packet[at]! & 1) return;
  info.startsKeyframe = true;
  const hasStartCode = at + 10 <= end && packet[at + 3] === 0x9d && packet[at + 4] === 0x01 && packet[at + 5] === 0x2a;
  if (!hasStartCode) return;
  const width = (packet[at + 6]! | (packet[at + 7]! << 8)) & 0x3fff;
  const height = (packet[at + 8]! | (packet[at + 9]! << 8)) & 0x3fff;
  info.sizes.push({ width, height });
}
