import type { VideoCodec } from '../../../server/media/engine/media-track.js';

export interface RtpParts {
  readonly payloadType?: number;
  readonly sequence?: number;
  readonly timestamp?: number;
  readonly ssrc?: number;
  readonly marker?: boolean;
  readonly payload?: Uint8Array;
  /** Words of a header extension. */
  readonly extension?: Uint8Array;
  /** Of the header extension. Default: 0xbede, the one-byte form. */
  readonly extensionProfile?: number;
  readonly padding?: number;
}

export function rtpPacket(parts: RtpParts = {}): Buffer {
  const { payloadType = 96, sequence = 1, timestamp = 1_000, ssrc = 11, payload = Buffer.from([1, 2, 3]) } = parts;
  const header = Buffer.allocUnsafe(12);
  header[0] = 0x80 | (parts.extension ? 0x10 : 0) | (parts.padding ? 0x20 : 0);
  header[1] = (parts.marker ? 0x80 : 0) | payloadType;
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  const pieces: Uint8Array[] = [header];
  if (parts.extension) {
    const words = Buffer.alloc(4);
    words.writeUInt16BE(parts.extensionProfile ?? 0xbede, 0);
    words.writeUInt16BE(parts.extension.length / 4, 2);
    pieces.push(words, parts.extension);
  }
  pieces.push(payload);
  if (parts.padding) pieces.push(Buffer.alloc(parts.padding, parts.padding));
  return Buffer.concat(pieces);
}

/** A packet with this extension block: header of four bytes and values. */
export function withExtensions(block: Buffer, payload = Buffer.from('picture')): Buffer {
  const packet = rtpPacket({ payload: Buffer.concat([block, payload]) });
  packet[0]! |= 0x10;
  return packet;
}

/** The first bytes of payloads that differ only in their payload header. */
export const KEYFRAME_PAYLOADS: Readonly<Record<VideoCodec, Buffer>> = {
  // 320 × 180
  vp8: Buffer.from([0x10, 0x10, 0x00, 0x00, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xb4, 0x00]),
  h264: Buffer.from([0x67, 0x42, 0xe0, 0x1f]),
  vp9: Buffer.from([0x08, 0x82]),
  av1: Buffer.from([0x08, 0x0a]),
};
/** A whole keyframe in VP8: a blue picture of 64 × 64, which browsers show. Bytes after it change nothing. */
export const VP8_PICTURE = Buffer.concat([
  Buffer.from([0x10]),
  Buffer.from('0AMAnQEqQABAAABHCIWFiIWEiAICAnWqA/gD+AIHGk/ILUhMAVYwAP77sCv/ftLg/cf/Tb/7dmmMfv7kwA==', 'base64'),
]);
export const DELTA_PAYLOADS: Readonly<Record<VideoCodec, Buffer>> = {
  vp8: Buffer.from([0x10, 0x01, 0x02]),
  h264: Buffer.from([0x41, 0x9a]),
  vp9: Buffer.from([0x48, 0x86]),
  av1: Buffer.from([0x10, 0x32]),
};
