import { leb128Of, MAX_OBUS, readLeb128 } from './leb128.js';
import type { FrameToSend } from './frame-to-send.js';

const Z_CONTINUES = 0x80;
const Y_CONTINUED = 0x40;
const N_NEW_SEQUENCE = 0x08;
const HAS_EXTENSION = 0x04;
const HAS_SIZE = 0x02;
const TEMPORAL_DELIMITER = 2;
const LONGEST_LENGTH = 3;

/** AV1 RTP specification section 4: each OBU with its length, in as many packets as it needs. */
export function av1PayloadsOf({ data, isKeyframe }: FrameToSend, most: number): readonly Buffer[] {
  const payloads: Buffer[] = [];
  let parts: Buffer[] = [];
  let bytes = 1;
  let continues = false;
  const flush = (isContinued: boolean): void => {
    if (parts.length === 0) return;
    const flags =
      (continues ? Z_CONTINUES : 0) |
      (isContinued ? Y_CONTINUED : 0) |
      (isKeyframe && payloads.length === 0 ? N_NEW_SEQUENCE : 0);
    payloads.push(Buffer.concat([Buffer.from([flags]), ...parts]));
    parts = [];
    bytes = 1;
    continues = isContinued;
  };
  for (const obu of obusOf(data)) {
    for (let at = 0; at < obu.length;) {
      const room = most - bytes - LONGEST_LENGTH;
      if (room <= 0) {
        flush(at > 0);
        continue;
      }
      const part = obu.subarray(at, at + room);
      parts.push(leb128Of(part.length), part);
      bytes += LONGEST_LENGTH + part.length;
      at += part.length;
      if (at < obu.length) flush(true);
    }
  }
  flush(false);
  return payloads;
}

/** The OBUs without their sizes, which RTP does not need, and without the temporal delimiter. */
function obusOf(frame: Buffer): readonly Buffer[] {
  const obus: Buffer[] = [];
  for (let at = 0; at < frame.length;) {
    const header = frame[at]!;
    const headerLength = header & HAS_EXTENSION ? 2 : 1;
    const size = header & HAS_SIZE ? readLeb128(frame, at + headerLength) : undefined;
    const start = size ? size.next : at + headerLength;
    const end = size ? start + size.value : frame.length;
    if ((header & HAS_SIZE && !size) || end > frame.length || obus.length === MAX_OBUS) return [];
    if (((header >> 3) & 0x0f) !== TEMPORAL_DELIMITER) {
      const bare = Buffer.from(frame.subarray(at, at + headerLength));
      bare[0]! &= ~HAS_SIZE;
      obus.push(Buffer.concat([bare, frame.subarray(start, end)]));
    }
    at = end;
  }
  return obus;
}
