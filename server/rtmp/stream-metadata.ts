import { readAmf0, type AmfValue } from './amf0.js';

/** What an encoder says about its stream. Each value is a claim: nothing depends on it. */
export interface StreamMetadata {
  /** In pixels. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Frames in a second. */
  readonly frameRate: number | undefined;
  /** The name of the program, at most 128 characters. */
  readonly encoder: string | undefined;
}

const MAX_SIZE = 16_384;
const MAX_FRAME_RATE = 1_000;
const MAX_ENCODER_LENGTH = 128;

/** Reads `@setDataFrame onMetaData`, or `onMetaData`. Undefined: it is other data, or not readable. */
export function readMetadata(payload: Buffer): StreamMetadata | undefined {
  const read = readAmf0(payload);
  if (!read.ok) return undefined;
  const values = read.values[0] === '@setDataFrame' ? read.values.slice(1) : read.values;
  const [name, fields] = values;
  if (name !== 'onMetaData' || !(fields instanceof Map)) return undefined;
  const field = (key: string): AmfValue => fields.get(key);
  const encoder = field('encoder');
  return {
    width: upTo(MAX_SIZE, field('width')),
    height: upTo(MAX_SIZE, field('height')),
    frameRate: upTo(MAX_FRAME_RATE, field('framerate')),
    encoder: typeof encoder === 'string' ? printable(encoder) : undefined,
  };
}

const upTo = (max: number, value: AmfValue): number | undefined =>
  typeof value === 'number' && value > 0 && value <= max ? value : undefined;

const printable = (text: string): string => text.replace(/\p{C}/gu, '').slice(0, MAX_ENCODER_LENGTH);
