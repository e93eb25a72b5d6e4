/** Of one frame. Encoders send up to a hundred, and a million short ones would need much memory. */
export const MAX_NAL_UNITS = 1_024;
const START_CODE_BYTES = 3;

/**
 * The NAL units of a frame in annex B form (H.264 annex B): what is between its start codes. If there are too many, the
 * rest of the frame belongs to the last one.
 */
export function nalUnitsOf(frame: Buffer): readonly Buffer[] {
  const units: Buffer[] = [];
  let start = startAfter(frame, 0);
  while (start >= 0) {
    const next = units.length + 1 < MAX_NAL_UNITS ? startAfter(frame, start) : -1;
    const unit = withoutTrailingZeros(frame, start, next < 0 ? frame.length : next - START_CODE_BYTES);
    if (unit) units.push(unit);
    start = next;
  }
  return units;
}

/** Where the NAL unit after the next start code begins. -1: there is no start code. */
function startAfter(frame: Buffer, from: number): number {
  for (let at = from + 2; at < frame.length;) {
    const byte = frame[at]!;
    if (byte === 1 && frame[at - 1] === 0 && frame[at - 2] === 0 && at - 2 >= from) return at + 1;
    // No start code has a larger byte.
    at += byte > 1 ? START_CODE_BYTES : 1;
  }
  return -1;
}

/** Zeros before a start code belong to it, or are padding: no NAL unit ends with one. Undefined: nothing is left. */
function withoutTrailingZeros(frame: Buffer, start: number, unitEnd: number): Buffer | undefined {
  let end = unitEnd;
  while (end > start && frame[end - 1] === 0) end--;
  return end > start ? frame.subarray(start, end) : undefined;
}

/** The NAL units of a frame as files have them: each after its length, in four bytes (ISO/IEC 14496-15). */
export function nalUnitsWithLengths(frame: Buffer): readonly Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at + 4 < frame.length;) {
    const end = at + 4 + frame.readUInt32BE(at);
    if (end > at + 4) units.push(frame.subarray(at + 4, end));
    if (units.length === MAX_NAL_UNITS) break;
    at = end;
  }
  return units;
}
