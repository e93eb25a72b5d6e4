import { leb128Of, MAX_OBUS, readLeb128 } from './leb128.js';

const Z_CONTINUES = 0x80;
const Y_CONTINUED = 0x40;
const HAS_EXTENSION = 0x04;
const HAS_SIZE = 0x02;
/** OBUs that a file does not contain: the temporal delimiter, tile lists and padding. */
const LEFT_OUT = new Set([2, 8, 15]);

/**
 * AV1 RTP specification section 4: the OBUs of a frame, each with its size.
 * @returns undefined: a payload is invalid, or there are too many OBUs
 */
export function av1FrameOf(payloads: readonly Buffer[]): Buffer | undefined {
  /** Each with the parts of it that the payloads have. */
  const obus: Buffer[][] = [];
  let isOpen = false;
  for (const payload of payloads) {
    if (payload.length < 2 || ((payload[0]! & Z_CONTINUES) !== 0) !== isOpen) return undefined;
    if (!addElements(payload, isOpen, obus)) return undefined;
    isOpen = (payload[0]! & Y_CONTINUED) !== 0;
  }
  const sized = isOpen ? [] : obus.map((parts) => withSize(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
  return sized.length > 0 && sized.every((obu) => obu !== undefined) ? Buffer.concat(sized) : undefined;
}

/** @param isOpen the first element continues the last OBU @returns false if a length does not fit, or there are too many */
function addElements(payload: Buffer, isOpen: boolean, obus: Buffer[][]): boolean {
  const count = (payload[0]! >> 4) & 0x03;
  let index = 0;
  for (let at = 1; at < payload.length; index++) {
    let length = payload.length - at;
    // If the number of OBUs is known, the last one has no length.
    if (index + 1 !== count) {
      const read = readLeb128(payload, at);
      if (!read || read.next + read.value > payload.length) return false;
      at = read.next;
      length = read.value;
    }
    const element = payload.subarray(at, at + length);
    if (index === 0 && isOpen) obus.at(-1)!.push(element);
    else if (obus.length < MAX_OBUS) obus.push([element]);
    else return false;
    at += length;
  }
  return count === 0 || index === count;
}

/** Empty: it is left out. Undefined: it is invalid. */
function withSize(element: Buffer): Buffer | undefined {
  if (element.length === 0) return undefined;
  const header = element[0]!;
  if (LEFT_OUT.has((header >> 3) & 0x0f)) return Buffer.alloc(0);
  const headerLength = header & HAS_EXTENSION ? 2 : 1;
  if (element.length < headerLength) return undefined;
  if (header & HAS_SIZE) return element;
  return Buffer.concat([
    Buffer.from([header | HAS_SIZE]),
    element.subarray(1, headerLength),
    leb128Of(element.length - headerLength),
    element.subarray(headerLength),
  ]);
}
