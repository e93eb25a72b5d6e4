import type { MediaMessage, RtmpMessage } from './rtmp-message.js';

/** As FLV tags: type, length, timestamp with its upper byte last, stream, payload, and the length again. */
const HEADER = 11;
const TRAILER = 4;
const KINDS: Readonly<Record<number, MediaMessage['kind']>> = { 8: 'audio', 9: 'video', 18: 'data' };
/** Encoders put less than a second into one. */
const MAX_PARTS = 4_096;

/**
 * The media messages in an aggregate message (RTMP 1.0 section 7.1.6). Its timestamp is that of the first; those of the
 * others differ from it as the timestamps in the parts do.
 * @returns undefined: it is broken
 */
export function readAggregate({ payload, timestamp }: RtmpMessage): readonly MediaMessage[] | undefined {
  const messages: MediaMessage[] = [];
  let first: number | undefined;
  let count = 0;
  for (let at = 0; at < payload.length;) {
    if (at + HEADER > payload.length || ++count > MAX_PARTS) return undefined;
    const start = at + HEADER;
    const end = start + payload.readUIntBE(at + 1, 3);
    if (end > payload.length) return undefined;
    const own = payload.readUIntBE(at + 4, 3) + payload[at + 7]! * 2 ** 24;
    first ??= own;
    const kind = KINDS[payload[at]!];
    // Modulo 2^32.
    if (kind)
      messages.push({ kind, timestamp: (timestamp + own - first) >>> 0, payload: payload.subarray(start, end) });
    // Some leave out the last length.
    at = end + TRAILER;
  }
  return messages;
}
