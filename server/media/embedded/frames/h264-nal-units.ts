/** The NAL units of a frame in annex B form (H.264 annex B): what is between its start codes. */
export function nalUnitsOf(frame: Buffer): readonly Buffer[] {
  const units: Buffer[] = [];
  let start = -1;
  for (let at = 0; at + 2 < frame.length; at++) {
    if (frame[at] !== 0 || frame[at + 1] !== 0 || frame[at + 2] !== 1) continue;
    if (start >= 0) units.push(withoutTrailingZeros(frame.subarray(start, at)));
    start = at + 3;
    at += 2;
  }
  if (start >= 0) units.push(withoutTrailingZeros(frame.subarray(start)));
  return units.filter(({ length }) => length > 0);
}

/** Zeros before a start code belong to it, or are padding: no NAL unit ends with one. */
function withoutTrailingZeros(unit: Buffer): Buffer {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end--;
  return unit.subarray(0, end);
}

/** The NAL units of a frame as files have them: each after its length, in four bytes (ISO/IEC 14496-15). */
export function nalUnitsWithLengths(frame: Buffer): readonly Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at + 4 < frame.length;) {
    const end = at + 4 + frame.readUInt32BE(at);
    units.push(frame.subarray(at + 4, end));
    at = end;
  }
  return units.filter(({ length }) => length > 0);
}
