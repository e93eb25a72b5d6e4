import { leb128Of, readLeb128 } from './leb128.js';

const Z_CONTINUES = 0x80;
const Y_CONTINUED = 0x40;
const HAS_EXTENSION = 0x04;
const HAS_SIZE = 0x02;
/** OBUs that a file does not contain: the temporal delimiter, tile lists and padding. */
const LEFT_OUT = new Set([2, 8, 15]);

/**
 * AV1 RTP specification section 4: the OBUs of a frame, each with its size.
 * @returns undefined: a payload is invalid
 */
export function av1FrameOf(payloads: readonly Buffer[]): Buffer | undefined {
  const elements: Buffer[] = [];
  let isOpen = false;
  for (const payload of payloads) {
    const found = payload.length > 1 ? elementsOf(payload) : undefined;
    if (!found || ((payload[0]! & Z_CONTINUES) !== 0) !== isOpen) return undefined;
    for (const [index, element] of found.entries()) {
      if (index === 0 && isOpen) elements.push(Buffer.concat([elements.pop()!, element]));
      else elements.push(element);
    }
    isOpen = (payload[0]! & Y_CONTINUED) !== 0;
  }
  const obus = isOpen ? [] : elements.map(withSize);
  return obus.length > 0 && obus.every((obu) => obu !== undefined) ? Buffer.concat(obus) : undefined;
}

/** The OBU elements of a payload. Undefined: a length does not fit. */
function elementsOf(payload: Buffer): readonly Buffer[] | undefined {
  const count = (payload[0]! >> 4) & 0x03;
  const elements: Buffer[] = [];
  for (let at = 1; at < payload.length;) {
    let length = payload.length - at;
    // If the number of OBUs is known, the last one has no length.
    if (elements.length + 1 !== count) {
      const read = readLeb128(payload, at);
      if (!read || read.next + read.value > payload.length) return undefined;
      at = read.next;
      length = read.value;
    }
    elements.push(payload.subarray(at, at + length));
    at += length;
  }
  return count === 0 || elements.length === count ? elements : undefined;
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
