import { nalUnitsOf } from './h264-nal-units.js';
import type { FrameToSend } from './frame-to-send.js';

const STAP_A = 24;
const FU_A = 28;
const STARTS = 0x80;
const ENDS = 0x40;
/** Of an aggregate: its own header, and the length before each unit. */
const AGGREGATE_HEADER = 1;
const UNIT_LENGTH = 2;

/** RFC 6184 section 5: small NAL units together, large ones in fragments. */
export function h264PayloadsOf({ data }: FrameToSend, most: number): readonly Buffer[] {
  const payloads: Buffer[] = [];
  let small: Buffer[] = [];
  let bytes = AGGREGATE_HEADER;
  const flush = (): void => {
    if (small.length > 0) payloads.push(small.length === 1 ? small[0]! : aggregateOf(small));
    small = [];
    bytes = AGGREGATE_HEADER;
  };
  for (const unit of nalUnitsOf(data)) {
    if (bytes + UNIT_LENGTH + unit.length > most) flush();
    if (unit.length > most) {
      payloads.push(...fragmentsOf(unit, most));
      continue;
    }
    small.push(unit);
    bytes += UNIT_LENGTH + unit.length;
  }
  flush();
  return payloads;
}

function aggregateOf(units: readonly Buffer[]): Buffer {
  // Its importance (NRI) is the highest of its units.
  const importance = Math.max(...units.map((unit) => unit[0]! & 0x60));
  const parts = units.flatMap((unit) => [Buffer.from([unit.length >> 8, unit.length & 0xff]), unit]);
  return Buffer.concat([Buffer.from([importance | STAP_A]), ...parts]);
}

function fragmentsOf(unit: Buffer, most: number): readonly Buffer[] {
  const header = unit[0]!;
  const size = most - 2;
  const fragments: Buffer[] = [];
  for (let at = 1; at < unit.length; at += size) {
    const flags = (at === 1 ? STARTS : 0) | (at + size >= unit.length ? ENDS : 0);
    fragments.push(
      Buffer.concat([Buffer.from([(header & 0xe0) | FU_A, flags | (header & 0x1f)]), unit.subarray(at, at + size)]),
    );
  }
  return fragments;
}
