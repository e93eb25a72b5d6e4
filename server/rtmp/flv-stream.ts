import type { AvcConfig } from './avc.js';
import { uint16, uint32 } from './integers.js';
import { MAX_VIDEO_BYTES, type MediaMessage } from './rtmp-message.js';

/** "FLV", version 1, video only, and the size of no previous tag. */
export const FLV_VIDEO_HEADER = Buffer.from('464c5601010000000900000000', 'hex');

const HEADER = FLV_VIDEO_HEADER.length;
const TAG_HEADER = 11;
const TAG_SIZE = 4;
const TYPES: Readonly<Record<number, MediaMessage['kind']>> = { 8: 'audio', 9: 'video', 18: 'data' };
const VIDEO = 9;

const KEYFRAME_H264 = 0x17;
const FRAME_H264 = 0x27;
const CONFIG = 0;
const FRAME = 1;

/** Reads the tags of an FLV stream as its bytes come. */
export class FlvReader {
  #bytes: Buffer = Buffer.alloc(0);
  #isHeaderRead = false;

  /** @throws {RangeError} the bytes are no FLV stream */
  read(chunk: Buffer): readonly MediaMessage[] {
    this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk;
    if (!this.#isHeaderRead) {
      if (this.#bytes.length < HEADER) return [];
      if (this.#bytes.toString('latin1', 0, 3) !== 'FLV') throw new RangeError('not an FLV stream');
      this.#bytes = this.#bytes.subarray(HEADER);
      this.#isHeaderRead = true;
    }
    const found: MediaMessage[] = [];
    while (this.#bytes.length >= TAG_HEADER) {
      const bytes = this.#bytes;
      const length = bytes.readUIntBE(1, 3);
      if (length > MAX_VIDEO_BYTES) throw new RangeError('a tag of the FLV stream is too long');
      const end = TAG_HEADER + length + TAG_SIZE;
      if (bytes.length < end) break;
      const kind = TYPES[bytes[0]! & 0x1f];
      const timestamp = bytes.readUIntBE(4, 3) + bytes[7]! * 2 ** 24;
      if (kind) found.push({ kind, timestamp, payload: bytes.subarray(TAG_HEADER, TAG_HEADER + length) });
      this.#bytes = bytes.subarray(end);
    }
    return found;
  }
}

/** What decoders need before the first frame of H.264. */
export function avcConfigTag(config: AvcConfig, timestampMs: number): Buffer {
  const { sequenceParameterSets, pictureParameterSets } = config;
  const record = Buffer.concat([
    // Version, profile with its constraints and level, and lengths of four bytes.
    Buffer.of(1, ...sequenceParameterSets[0]!.subarray(1, 4), 0xff, 0xe0 | sequenceParameterSets.length),
    ...sequenceParameterSets.flatMap(withLength16),
    Buffer.of(pictureParameterSets.length),
    ...pictureParameterSets.flatMap(withLength16),
  ]);
  return videoTag([Buffer.of(KEYFRAME_H264, CONFIG, 0, 0, 0), record], timestampMs);
}

export interface AvcFrame {
  readonly units: readonly Buffer[];
  readonly isKeyframe: boolean;
  /** When it is decoded, in ms. */
  readonly timestampMs: number;
  /** In ms: it is shown so much later. */
  readonly compositionTime: number;
}

/** One access unit of H.264. */
export function avcFrameTag({ units, isKeyframe, timestampMs, compositionTime }: AvcFrame): Buffer {
  const header = Buffer.of(isKeyframe ? KEYFRAME_H264 : FRAME_H264, FRAME, 0, 0, 0);
  header.writeIntBE(compositionTime, 2, 3);
  return videoTag([header, ...units.flatMap((unit) => [uint32(unit.length), unit])], timestampMs);
}

function videoTag(parts: readonly Buffer[], timestampMs: number): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const header = Buffer.alloc(TAG_HEADER);
  header[0] = VIDEO;
  header.writeUIntBE(length, 1, 3);
  header.writeUIntBE(timestampMs % 2 ** 24, 4, 3);
  header[7] = Math.floor(timestampMs / 2 ** 24) & 0xff;
  return Buffer.concat([header, ...parts, uint32(TAG_HEADER + length)]);
}

const withLength16 = (unit: Buffer): readonly Buffer[] => [uint16(unit.length), unit];
