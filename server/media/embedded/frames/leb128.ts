/** Of one frame. Encoders send some for each tile and each layer, and a million short ones would need much memory. */
export const MAX_OBUS = 1_024;

/** AV1 section 4.10.5. Undefined: it does not end within the bytes, or is longer than an OBU can be. */
export function readLeb128(
  bytes: Buffer,
  start: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = start, shift = 0; at < bytes.length && shift < 28; at++, shift += 7) {
    value += (bytes[at]! & 0x7f) * 2 ** shift;
    if (!(bytes[at]! & 0x80)) return { value, next: at + 1 };
  }
  return undefined;
}

export function leb128Of(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
