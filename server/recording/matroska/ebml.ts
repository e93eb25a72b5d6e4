/** Element ids (RFC 9559 section 5.1), as they stand in the file. */
export const ID = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  void: 0xec,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  dateUtc: 0x4461,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  seekPreRoll: 0x56bb,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
} as const;

export type ElementId = (typeof ID)[keyof typeof ID];

/** The size of an element that lasts to the end of the file. */
export const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');
/** Of an id and a size together (RFC 8794 section 11.2.4). */
export const LONGEST_HEADER = 12;

export function element(id: ElementId, ...content: readonly Uint8Array[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([idOf(id), sizeOf(size), ...content]);
}

export function uint(id: ElementId, value: number): Buffer {
  return element(id, bytesOf(value));
}

/** With 8 bytes, so that the size of the element does not depend on the value. */
export function fixedUint(id: ElementId, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

export function float(id: ElementId, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

export function text(id: ElementId, value: string): Buffer {
  return element(id, Buffer.from(value));
}

export function idOf(id: ElementId): Buffer {
  return bytesOf(id);
}

/** RFC 8794 section 4: the shortest form. A size of ones only would mean that it is unknown. */
export function sizeOf(size: number): Buffer {
  let length = 1;
  while (size >= 2 ** (7 * length) - 1) length++;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size) | (1n << BigInt(7 * length)));
  return bytes.subarray(8 - length);
}

function bytesOf(value: number): Buffer {
  let length = 1;
  while (value >= 2 ** (8 * length)) length++;
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

export interface ElementHeader {
  readonly id: number;
  /** Of the content, in bytes. Undefined: not known. */
  readonly size: number | undefined;
  /** Offset of the content. */
  readonly dataAt: number;
}

/** Undefined: it is not complete, or it is no element. */
export function readHeader(bytes: Buffer, at: number): ElementHeader | undefined {
  const idLength = lengthAt(bytes, at);
  if (!idLength || idLength > 4) return undefined;
  const sizeAt = at + idLength;
  const sizeLength = lengthAt(bytes, sizeAt);
  if (!sizeLength || sizeAt + sizeLength > bytes.length) return undefined;
  let size = bytes[sizeAt]! & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index++) {
    isUnknown &&= bytes[sizeAt + index] === 0xff;
    size = size * 256 + bytes[sizeAt + index]!;
  }
  if (!isUnknown && !Number.isSafeInteger(size)) return undefined;
  return { id: bytes.readUIntBE(at, idLength), size: isUnknown ? undefined : size, dataAt: sizeAt + sizeLength };
}

export function readUint(bytes: Buffer): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** The elements in the content of another. Stops at what is no complete element. */
export function* children(bytes: Buffer): Generator<{ readonly id: number; readonly data: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    const header = readHeader(bytes, at);
    if (header?.size === undefined || header.dataAt + header.size > bytes.length) return;
    at = header.dataAt + header.size;
    yield { id: header.id, data: bytes.subarray(header.dataAt, at) };
  }
}

/** The number of zeros before the first one tells the length. 0: none. */
function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  return first ? Math.clz32(first) - 23 : 0;
}
