import type { PayloadInfo } from './payload-info.js';

/** The payload descriptor (RFC 7741 section 4.2), and the start of a keyframe's header (RFC 6386 section 9.1). */
export function readVp8(packet: Uint8Array, start: number, end: number, info: PayloadInfo): void {
  const descriptor = packet[start]!;
  // S bit: start of a partition. PID 0: the first partition, which starts the frame.
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
      if (at < end) {
        info.baseLayerIndexAt = at - start;
        info.baseLayerIndex = packet[at]!;
      }
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
  info.dataAt = at - start;
  // The P bit is 0 in keyframes.
  if (!info.startsFrame || at >= end || packet[at]! & 1) return;
  info.startsKeyframe = true;
  const hasStartCode = at + 10 <= end && packet[at + 3] === 0x9d && packet[at + 4] === 0x01 && packet[at + 5] === 0x2a;
  if (!hasStartCode) return;
  const width = (packet[at + 6]! | (packet[at + 7]! << 8)) & 0x3fff;
  const height = (packet[at + 8]! | (packet[at + 9]! << 8)) & 0x3fff;
  info.sizes.push({ width, height });
}
