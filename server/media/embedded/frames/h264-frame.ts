const FIRST_AGGREGATE = 24;
const STAP_A = 24;
const FU_A = 28;
const START_CODE = Buffer.from([0, 0, 0, 1]);

/**
 * RFC 6184 section 5: the NAL units of a frame, each after a start code (H.264 annex B).
 * @returns undefined: a payload is invalid, or of a kind that packetization mode 1 does not have
 */
export function h264FrameOf(payloads: readonly Buffer[]): Buffer | undefined {
  const parts: Buffer[] = [];
  let inFragment = false;
  for (const payload of payloads) {
    const type = payload.length > 0 ? payload[0]! & 0x1f : 0;
    if (type === FU_A) {
      if (payload.length < 2) return undefined;
      const starts = (payload[1]! & 0x80) !== 0;
      if (starts === inFragment) return undefined;
      if (starts) parts.push(START_CODE, Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)]));
      parts.push(payload.subarray(2));
      inFragment = (payload[1]! & 0x40) === 0;
      continue;
    }
    if (inFragment || type === 0) return undefined;
    if (type < FIRST_AGGREGATE) parts.push(START_CODE, payload);
    else if (type !== STAP_A || !addAggregated(payload, parts)) return undefined;
  }
  return inFragment || parts.length === 0 ? undefined : Buffer.concat(parts);
}

/** @returns false if a length does not fit */
function addAggregated(payload: Buffer, parts: Buffer[]): boolean {
  for (let at = 1; at < payload.length;) {
    if (at + 2 > payload.length) return false;
    const next = at + 2 + payload.readUInt16BE(at);
    if (next > payload.length || next === at + 2) return false;
    parts.push(START_CODE, payload.subarray(at + 2, next));
    at = next;
  }
  return true;
}
