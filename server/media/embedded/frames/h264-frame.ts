import { MAX_NAL_UNITS } from './h264-nal-units.js';

const FIRST_AGGREGATE = 24;
const STAP_A = 24;
const FU_A = 28;
const START_CODE = Buffer.from([0, 0, 0, 1]);

/**
 * RFC 6184 section 5: the NAL units of a frame, each after a start code (H.264 annex B).
 * @returns undefined: a payload is invalid, or of a kind that packetization mode 1 does not have, or there are too many
 *   NAL units
 */
export function h264FrameOf(payloads: readonly Buffer[]): Buffer | undefined {
  const parts: Buffer[] = [];
  let inFragment = false;
  let units = 0;
  for (const payload of payloads) {
    const type = payload.length > 0 ? payload[0]! & 0x1f : 0;
    if (type === FU_A) {
      if (payload.length < 2) return undefined;
      const starts = (payload[1]! & 0x80) !== 0;
      if (starts === inFragment) return undefined;
      if (starts) {
        units++;
        parts.push(START_CODE, Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)]));
      }
      parts.push(payload.subarray(2));
      inFragment = (payload[1]! & 0x40) === 0;
      continue;
    }
    if (inFragment || type === 0) return undefined;
    if (type < FIRST_AGGREGATE) {
      units++;
      parts.push(START_CODE, payload);
    } else {
      const added = type === STAP_A ? addAggregated(payload, parts, MAX_NAL_UNITS - units) : undefined;
      if (added === undefined) return undefined;
      units += added;
    }
    if (units > MAX_NAL_UNITS) return undefined;
  }
  return inFragment || parts.length === 0 ? undefined : Buffer.concat(parts);
}

/** @returns how many units there were. Undefined: a length does not fit, or there are more than `most` */
function addAggregated(payload: Buffer, parts: Buffer[], most: number): number | undefined {
  let units = 0;
  for (let at = 1; at < payload.length; units++) {
    if (units === most || at + 2 > payload.length) return undefined;
    const next = at + 2 + payload.readUInt16BE(at);
    if (next > payload.length || next === at + 2) return undefined;
    parts.push(START_CODE, payload.subarray(at + 2, next));
    at = next;
  }
  return units;
}
