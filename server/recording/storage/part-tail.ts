/**
 * The end of a part that is too short for a piece is in S3 in a few objects. Each begins with its position in the part,
 * so that what an object contains is known whatever was written when. They are written again and again, one after the
 * other: without a list of them, nothing is left behind.
 */
export const TAIL_OBJECTS = 16;

const POSITION_BYTES = 8;

/** Bytes of a part that one object of the tail contains: from `from` up to `to`. */
export interface TailSpan {
  /** Of the object, from 0. */
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** What an object of the tail contains. */
export interface TailBytes {
  readonly from: number;
  readonly bytes: Buffer;
}

/**
 * What of a part is to be written next.
 * @param last what was written last. Undefined: nothing
 * @param piecesEnd where the pieces end that the database knows
 * @param written bytes of the part
 * @returns undefined: everything is there
 */
export function nextTailSpan(last: TailSpan | undefined, piecesEnd: number, written: number): TailSpan | undefined {
  const goesOn = last !== undefined && last.to > piecesEnd;
  if (written <= (goesOn ? last.to : piecesEnd)) return undefined;
  if (goesOn && last.index + 1 < TAIL_OBJECTS) return { index: last.index + 1, from: last.to, to: written };
  // The whole tail is in this object: those after it may be written over.
  return { index: 0, from: piecesEnd, to: written };
}

export function tailKey(partKey: string, index: number): string {
  return `${partKey}.tail-${index}`;
}

/** The keys of all objects that a tail may have. */
export function tailKeys(partKey: string): string[] {
  return Array.from({ length: TAIL_OBJECTS }, (_, index) => tailKey(partKey, index));
}

export function packTail({ from, bytes }: TailBytes): Buffer {
  const position = Buffer.alloc(POSITION_BYTES);
  position.writeBigUInt64BE(BigInt(from));
  return Buffer.concat([position, bytes]);
}

/** Undefined: it is no object of a tail. */
export function unpackTail(object: Buffer): TailBytes | undefined {
  if (object.length < POSITION_BYTES) return undefined;
  return { from: Number(object.readBigUInt64BE()), bytes: object.subarray(POSITION_BYTES) };
}

/** The bytes of the part from this position on, as far as they are there without a gap. */
export function joinTail(objects: readonly TailBytes[], position: number): Buffer {
  const found: Buffer[] = [];
  for (let at = position; ;) {
    const next = objects.find(({ from, bytes }) => from <= at && at < from + bytes.length);
    if (!next) return Buffer.concat(found);
    found.push(next.bytes.subarray(at - next.from));
    at = next.from + next.bytes.length;
  }
}
