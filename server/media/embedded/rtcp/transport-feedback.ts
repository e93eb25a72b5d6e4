/** Which packets arrived, and when, for congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01). */
export interface TransportFeedback {
  /** The transport-wide sequence number of the first packet. */
  readonly firstSequence: number;
  /**
   * One for each packet: its arrival time in ms of the receiver's clock, in steps of a quarter. NaN: it did not arrive.
   * The clock has no known start and wraps after 12 days, so only differences have a meaning.
   */
  readonly arrivals: Float64Array;
  /** Counts the feedback messages, modulo 256. */
  readonly count: number;
}

const TRANSPORT_FEEDBACK = 205;
const FORMAT = 15;
const FIXED_PART = 20;
const TICKS_PER_MS = 4;
/** Reference times are in units of 64 ms. */
const REFERENCE_TICKS = 256;
/** More than a second of packets. A limit, because a peer could claim more to make the server allocate memory. */
const MAX_PACKETS = 4_096;

const NOT_RECEIVED = 0;
const SMALL_DELTA = 1;
const LARGE_DELTA = 2;
const MAX_RUN = 0x1fff;

/** @param message one message of a compound packet, with its header. @returns undefined if it is malformed */
export function readTransportFeedback(message: Buffer): TransportFeedback | undefined {
  if (message.length < FIXED_PART || message[1] !== TRANSPORT_FEEDBACK || (message[0]! & 0x1f) !== FORMAT)
    return undefined;
  const end = message[0]! & 0x20 ? message.length - message[message.length - 1]! : message.length;
  const packets = message.readUInt16BE(14);
  if (packets < 1 || packets > MAX_PACKETS) return undefined;
  const arrivals = new Float64Array(packets);
  const deltas = readStatuses(message, end, arrivals);
  if (deltas < 0 || !replaceByArrivals(message, deltas, end, arrivals)) return undefined;
  return { firstSequence: message.readUInt16BE(12), arrivals, count: message[19]! };
}

/** Sections 3.1.2 to 3.1.4: reads the status of each packet. @returns the offset of the deltas; -1: it is truncated */
function readStatuses(message: Buffer, end: number, statuses: Float64Array): number {
  let at = FIXED_PART;
  for (let packet = 0; packet < statuses.length; at += 2) {
    if (at + 2 > end) return -1;
    const chunk = message.readUInt16BE(at);
    if (!(chunk & 0x8000)) {
      const run = chunk & MAX_RUN;
      if (run === 0) return -1;
      statuses.fill((chunk >> 13) & 3, packet, packet + run);
      packet += run;
    } else {
      const bits = chunk & 0x4000 ? 2 : 1;
      for (let shift = 14 - bits; shift >= 0 && packet < statuses.length; shift -= bits) {
        statuses[packet++] = (chunk >> shift) & (bits === 2 ? 3 : 1);
      }
    }
  }
  return at;
}

/**
 * Section 3.1.5: replaces each status by an arrival time.
 * @returns false if a delta is missing, or a status is reserved
 */
function replaceByArrivals(message: Buffer, start: number, end: number, arrivals: Float64Array): boolean {
  let ticks = message.readIntBE(16, 3) * REFERENCE_TICKS;
  let at = start;
  for (let packet = 0; packet < arrivals.length; packet++) {
    const status = arrivals[packet]!;
    if (status === NOT_RECEIVED) {
      arrivals[packet] = NaN;
      continue;
    }
    const length = status === SMALL_DELTA ? 1 : 2;
    if (status > LARGE_DELTA || at + length > end) return false;
    ticks += length === 1 ? message[at]! : message.readInt16BE(at);
    at += length;
    arrivals[packet] = ticks / TICKS_PER_MS;
  }
  return true;
}

/** @param feedback at least one packet arrived, and no delta between two arrivals exceeds 8 s */
export function transportFeedback(sender: number, mediaSsrc: number, feedback: TransportFeedback): Buffer {
  const { firstSequence, arrivals, count } = feedback;
  const firstArrival = arrivals.find((arrival) => !Number.isNaN(arrival)) ?? 0;
  const reference = Math.floor((firstArrival * TICKS_PER_MS) / REFERENCE_TICKS);
  const statuses = new Uint8Array(arrivals.length);
  const deltas: number[] = [];
  let bytes = 0;
  let before = reference * REFERENCE_TICKS;
  for (let packet = 0; packet < arrivals.length; packet++) {
    const arrival = arrivals[packet]!;
    if (Number.isNaN(arrival)) continue;
    const ticks = Math.round(arrival * TICKS_PER_MS);
    const delta = ticks - before;
    statuses[packet] = delta >= 0 && delta <= 0xff ? SMALL_DELTA : LARGE_DELTA;
    bytes += statuses[packet]!;
    deltas.push(delta);
    before = ticks;
  }
  const chunks = statusChunks(statuses);
  const length = FIXED_PART + 2 * chunks.length + bytes;
  const padding = (4 - (length & 3)) & 3;
  const packet = Buffer.alloc(length + padding);
  packet[0] = 0x80 | (padding ? 0x20 : 0) | FORMAT;
  packet[1] = TRANSPORT_FEEDBACK;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  packet.writeUInt16BE(firstSequence, 12);
  packet.writeUInt16BE(arrivals.length, 14);
  packet.writeUIntBE(((reference % 2 ** 24) + 2 ** 24) % 2 ** 24, 16, 3);
  packet[19] = count;
  let at = FIXED_PART;
  for (const chunk of chunks) at = packet.writeUInt16BE(chunk, at);
  for (const delta of deltas) {
    at = delta >= 0 && delta <= 0xff ? packet.writeUInt8(delta, at) : packet.writeInt16BE(delta, at);
  }
  if (padding) packet[packet.length - 1] = padding;
  return packet;
}

/** Run-length chunks where a run is longer than a vector; else vectors of 14 one-bit or 7 two-bit statuses. */
function statusChunks(statuses: Uint8Array): number[] {
  const chunks: number[] = [];
  for (let at = 0; at < statuses.length;) {
    const status = statuses[at]!;
    let run = 1;
    while (run < MAX_RUN && statuses[at + run] === status) run++;
    const bits = statuses.subarray(at, at + 14).includes(LARGE_DELTA) ? 2 : 1;
    if (run >= 14 / bits || at + run === statuses.length) {
      chunks.push((status << 13) | run);
      at += run;
    } else {
      let chunk = bits === 2 ? 0xc000 : 0x8000;
      for (let shift = 14 - bits; shift >= 0; shift -= bits) chunk |= (statuses[at++] ?? NOT_RECEIVED) << shift;
      chunks.push(chunk);
    }
  }
  return chunks;
}
