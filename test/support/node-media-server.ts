import { createRequire } from 'node:module';
import { MESSAGE_TYPE, type RtmpMessage } from '../../server/rtmp/rtmp-message.js';

/** What is used of the RTMP of node-media-server 4.4.3, which exports only its server. */
interface Rtmp {
  handshakeState: number;
  readonly parserPacket: {
    readonly header: { readonly type: number; readonly stream_id: number; readonly length: number };
    readonly clock: number;
    readonly payload: Buffer;
  };
  packetHandler: () => void;
  controlHandler(): void;
  parserData(bytes: Buffer): void;
}

interface Amf {
  amf0EncodeOne(value: unknown): Buffer;
  amf0DecodeOne(bytes: Buffer): { readonly len: number; readonly value: unknown };
}

const require = createRequire(import.meta.url);
const RtmpParser = require('node-media-server/src/protocol/rtmp.js') as new () => Rtmp;
const { amf0EncodeOne, amf0DecodeOne } = require('node-media-server/src/protocol/amf.js') as Amf;

/** C0, C1 and C2. */
export const HANDSHAKE_BYTES = 1 + 2 * 1536;
const HANDSHAKE_DONE = 3;

/** The messages in chunks, as node-media-server reads them, without Set Chunk Size. It reads no ids above 319. */
export function messagesByNodeMediaServer(chunks: Buffer): RtmpMessage[] {
  const parser = new RtmpParser();
  const messages: RtmpMessage[] = [];
  parser.handshakeState = HANDSHAKE_DONE;
  parser.packetHandler = () => {
    const { header, clock, payload } = parser.parserPacket;
    if (header.type === MESSAGE_TYPE.setChunkSize) return parser.controlHandler();
    const { type: typeId, stream_id: streamId, length } = header;
    // It reuses the buffer.
    messages.push({ typeId, streamId, timestamp: clock, payload: Buffer.from(payload.subarray(0, length)) });
  };
  parser.parserData(chunks);
  return messages;
}

/** Writes a value of AMF0. It counts the characters of a text and not its bytes, so that only ASCII is correct. */
export const amfByNodeMediaServer = (value: unknown): Buffer => amf0EncodeOne(value);

/**
 * Reads all values of AMF0. Objects and ECMA arrays are both objects. It reads dates wrongly, with the time zone before
 * the time (AMF0 section 2.13 has it after), and everything behind an ECMA array, whose length it takes for one more.
 */
export function valuesByNodeMediaServer(bytes: Buffer): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    const { len, value } = amf0DecodeOne(bytes.subarray(at));
    values.push(value);
    at += len;
  }
  return values;
}
