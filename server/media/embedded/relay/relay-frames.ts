import type { SourceId } from '../../media-engine.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { SourceTrack } from '../producer/source.js';

/** What two processes say to each other of a stream that is relayed. Sources have numbers, encodings their index. */
export type RelayMessage =
  /** The first one of a connection, to the home of the stream: it is answered with all that follows. */
  | { readonly type: 'follow'; readonly stream: string }
  | { readonly type: 'keyframe'; readonly source: number; readonly encoding: number }
  /** From the home. Packets of a source come after it, and none after it has `ended`. */
  | {
      readonly type: 'source';
      readonly source: number;
      readonly id: SourceId;
      readonly tracks: readonly SourceTrack[];
    }
  | { readonly type: 'ended'; readonly source: number }
  /** Every source has been told of that there was at the beginning. */
  | { readonly type: 'current' }
  | { readonly type: 'clock'; readonly source: number; readonly encoding: number; readonly report: SenderReport };

export interface RelayFrameListener {
  onMessage(message: RelayMessage): void;
  /** @param packet RTP, the listener's to keep */
  onPacket(source: number, encoding: number, sequence: number, packet: Buffer): void;
}

/*
 * A frame is the length of what follows (u32), its kind (u8), and its body: JSON, or a source's number (u32), an
 * encoding's index (u8), an extended sequence number (f64: it goes past 32 bits) and a packet of RTP.
 */
const LENGTH_BYTES = 4;
const MESSAGE = 0;
const PACKET = 1;
const PACKET_HEAD_BYTES = 1 + 4 + 1 + 8;
/** Ours are far smaller: whoever sends this is out of step. */
const LARGEST = 1 << 20;

export function messageFrame(message: RelayMessage): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + 1 + body.length);
  frame.writeUInt32BE(1 + body.length);
  frame[LENGTH_BYTES] = MESSAGE;
  body.copy(frame, LENGTH_BYTES + 1);
  return frame;
}

export function packetFrame(source: number, encoding: number, sequence: number, packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + PACKET_HEAD_BYTES + packet.length);
  frame.writeUInt32BE(PACKET_HEAD_BYTES + packet.length);
  frame[LENGTH_BYTES] = PACKET;
  frame.writeUInt32BE(source, LENGTH_BYTES + 1);
  frame[LENGTH_BYTES + 5] = encoding;
  frame.writeDoubleBE(sequence, LENGTH_BYTES + 6);
  packet.copy(frame, LENGTH_BYTES + PACKET_HEAD_BYTES);
  return frame;
}

/** Takes a stream of bytes apart. */
export class RelayFrameReader {
  readonly #listener: RelayFrameListener;
  /** Of a frame that has not come as a whole. */
  #pieces: Buffer[] = [];
  #have = 0;
  /** How many bytes must be there before it is worth looking again. */
  #need = LENGTH_BYTES;

  constructor(listener: RelayFrameListener) {
    this.#listener = listener;
  }

  /** @throws {Error} at what is no frame of ours: nothing that comes after it can be understood */
  read(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return;
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let at = 0;
    this.#need = LENGTH_BYTES;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(at);
      if (length === 0 || length > LARGEST) throw new RangeError(`a frame of ${length} bytes`);
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) {
        this.#need = end - at;
        break;
      }
      this.#deliver(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    this.#have = bytes.length - at;
    this.#pieces = this.#have ? [bytes.subarray(at)] : [];
  }

  #deliver(frame: Buffer): void {
    if (frame[0] === MESSAGE) return this.#listener.onMessage(JSON.parse(frame.toString('utf8', 1)) as RelayMessage);
    if (frame[0] !== PACKET || frame.length < PACKET_HEAD_BYTES) throw new RangeError('a frame of no known kind');
    this.#listener.onPacket(frame.readUInt32BE(1), frame[5]!, frame.readDoubleBE(6), frame.subarray(PACKET_HEAD_BYTES));
  }
}
