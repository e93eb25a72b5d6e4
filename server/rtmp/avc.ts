/** What H.264 in an FLV stream needs before its first frame (ISO/IEC 14496-15 section 5.3.3). */
export interface AvcConfig {
  readonly sequenceParameterSets: readonly Buffer[];
  readonly pictureParameterSets: readonly Buffer[];
  /** The size of the length before each NAL unit: 1, 2 or 4 bytes. */
  readonly lengthBytes: number;
}

const ACCESS_UNIT_DELIMITER = 9;
const SUPPLEMENTAL_INFORMATION = 6;
const FILLER = 12;
/** Of one access unit. Encoders send up to a hundred, and a million short ones would need much memory. */
const MAX_NAL_UNITS = 1024;
const LEFT_OUT = new Set([SUPPLEMENTAL_INFORMATION, ACCESS_UNIT_DELIMITER, FILLER]);

/** Reads an `AVCDecoderConfigurationRecord`. Undefined: it is not valid, or has no parameter sets. */
export function readAvcConfig(bytes: Buffer): AvcConfig | undefined {
  if (bytes.length < 7 || bytes[0] !== 1) return undefined;
  const lengthBytes = (bytes[4]! & 0x03) + 1;
  const sequence = parameterSets(bytes, 6, bytes[5]! & 0x1f);
  if (!sequence || sequence.next >= bytes.length) return undefined;
  const picture = parameterSets(bytes, sequence.next + 1, bytes[sequence.next]!);
  if (!picture || lengthBytes === 3 || sequence.units.length === 0 || picture.units.length === 0) return undefined;
  return { sequenceParameterSets: sequence.units, pictureParameterSets: picture.units, lengthBytes };
}

function parameterSets(bytes: Buffer, start: number, count: number) {
  const units: Buffer[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 2 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length || end === at + 2) return undefined;
    units.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return { units, next: at };
}

/** The NAL units of an access unit, each after its length. Undefined: a length does not fit, or there are too many. */
export function nalUnitsOf(bytes: Buffer, lengthBytes: number): readonly Buffer[] | undefined {
  const units: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + lengthBytes;
    if (start > bytes.length) return undefined;
    const end = start + bytes.readUIntBE(at, lengthBytes);
    if (end > bytes.length || units.length === MAX_NAL_UNITS) return undefined;
    // Some encoders send empty units.
    if (end > start) units.push(bytes.subarray(start, end));
    at = end;
  }
  return units;
}

/** Without access unit delimiters, SEI and filler: they have no picture, and browsers do not need them. */
export function withoutAuxiliaryUnits(units: readonly Buffer[]): readonly Buffer[] {
  return units.filter((unit) => !LEFT_OUT.has(unit[0]! & 0x1f));
}
