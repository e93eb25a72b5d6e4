import { nalUnitsOf } from '../../media/embedded/frames/h264-nal-units.js';

const SEQUENCE_PARAMETERS = 7;
const PICTURE_PARAMETERS = 8;
const ACCESS_UNIT_DELIMITER = 9;
/** A length before each unit has four bytes. */
const LENGTH_MINUS_ONE = 3;
const HIGH_PROFILES = new Set([100, 110, 122, 144]);

const typeOf = (unit: Buffer): number => unit[0]! & 0x1f;

/**
 * Annex B to lengths (ISO/IEC 14496-15 section 5.3.2). Parameter sets stay in the frame: they may change with the size
 * of the picture, and the header of the file has only the first ones.
 */
export function withLengths(annexB: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (const unit of nalUnitsOf(annexB)) {
    if (typeOf(unit) === ACCESS_UNIT_DELIMITER) continue;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(unit.length);
    parts.push(length, unit);
  }
  return Buffer.concat(parts);
}

/**
 * The AVCDecoderConfigurationRecord (ISO/IEC 14496-15 section 5.3.3.1) of a keyframe with these NAL units.
 * @returns undefined: parameter sets are missing
 */
export function avcConfigurationOf(units: readonly Buffer[]): Buffer | undefined {
  const sequence = units.filter((unit) => typeOf(unit) === SEQUENCE_PARAMETERS && unit.length >= 4).slice(0, 31);
  const picture = units.filter((unit) => typeOf(unit) === PICTURE_PARAMETERS).slice(0, 255);
  const first = sequence[0];
  if (!first || picture.length === 0) return undefined;
  const [, profile, constraints, level] = first;
  // The browsers and encoders of live video send 4:2:0 with 8 bits.
  const chroma = HIGH_PROFILES.has(profile!) ? [Buffer.of(0xfd, 0xf8, 0xf8, 0)] : [];
  return Buffer.concat([
    Buffer.of(1, profile!, constraints!, level!, 0xfc | LENGTH_MINUS_ONE, 0xe0 | sequence.length),
    ...sequence.flatMap(withShortLength),
    Buffer.of(picture.length),
    ...picture.flatMap(withShortLength),
    ...chroma,
  ]);
}

function withShortLength(unit: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(unit.length);
  return [length, unit];
}
