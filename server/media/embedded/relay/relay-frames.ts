import type { MediaErrorCode } from '../../engine/media-error.js';
import type { SourceId } from '../../engine/media-track.js';
import type { FedPacket } from '../producer/fed-source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { KeyframeUrgency } from '../producer/keyframe-authority.js';
import type { SourceDescription, SourceTrack } from '../producer/source.js';
import { fromMachineTime, toMachineTime } from './machine-clock.js';

/** Messages between two workers, of one server or of two, about a relayed stream. Sources are numbered, encodings have an index. */
export type RelayMessage =
  /** The first message of a connection, to the home of the stream, which sends its sources. */
  | {
      readonly type: 'follow';
      readonly stream: string;
      /** It keeps what it gets, which may be late. */ readonly isTap?: true;
    }
  /** The first message of a connection that adds a source, number 0. Answered with `added` or `refused`. */
  | { readonly type: 'add'; readonly stream: string; readonly id: SourceId; readonly tracks: readonly SourceTrack[] }
  | { readonly type: 'added' }
  /** The added source has these tracks from now on. */
  | { readonly type: 'tracks'; readonly tracks: readonly SourceTrack[] }
  | { readonly type: 'refused'; readonly code: MediaErrorCode; readonly message: string }
  | {
      readonly type: 'keyframe';
      readonly source: number;
      readonly encoding: number;
      readonly urgency: KeyframeUrgency;
    }
  /** The packets of a source are sent between its `source` and its `ended`. */
  | {
      readonly type: 'source';
      readonly source: number;
      readonly id: SourceId;
      readonly tracks: readonly SourceTrack[];
      /** Its video is sent only after a `want`, and `described` says what there is to want. */
      readonly isDescribed?: true;
    }
  /** The publisher of an encoding does not answer requests for keyframes: keep what comes since the last one. */
  | { readonly type: 'in-vain'; readonly source: number; readonly encoding: number }
  /** What is measured of a source that is live, whether it is sent or not. */
  | { readonly type: 'described'; readonly source: number; readonly description: SourceDescription }
  /** The encodings of the video to send from now on, by index, and no other. Sound is always sent. */
  | { readonly type: 'want'; readonly source: number; readonly encodings: readonly number[] }
  /** The other end is there. */
  | { readonly type: 'alive' }
  | { readonly type: 'ended'; readonly source: number }
  /** All sources that existed at `follow` have been sent. */
  | { readonly type: 'current' }
  | { readonly type: 'clock'; readonly source: number; readonly encoding: number; readonly report: SenderReport };

export interface RelayFrameListener {
  onMessage(message: RelayMessage): void;
  /** The listener may keep the RTP packet. */
  onPacket(source: number, encoding: number, packet: FedPacket): void;
}

/*
 * A frame has the length of the rest (u32), a type (u8) and a body: JSON, or the source's number (u32), the encoding's
 * index (u8), an extended sequence number (f64: it can exceed 32 bits), when the packet came to this machine (f64, by the
 * clock of the machine) and an RTP packet.
 */
const LENGTH_BYTES = 4;
const MESSAGE = 0;
const PACKET = 1;
const PACKET_HEADER_BYTES = 1 + 4 + 1 + 8 + 8;
/** Real frames are far smaller: a larger one means that the stream is corrupt. */
const MAX_FRAME_BYTES = 1 << 20;

export function messageFrame(message: RelayMessage): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + 1 + body.length);
  frame.writeUInt32BE(1 + body.length);
  frame[LENGTH_BYTES] = MESSAGE;
  body.copy(frame, LENGTH_BYTES + 1);
  return frame;
}

export const packetFrameBytes = ({ packet }: FedPacket): number => LENGTH_BYTES + PACKET_HEADER_BYTES + packet.length;

/** @param frame of `packetFrameBytes` */
export function writePacketFrame(
  frame: Buffer,
  source: number,
  encoding: number,
  { sequence, packet, arrivedAt }: FedPacket,
): void {
  frame.writeUInt32BE(PACKET_HEADER_BYTES + packet.length);
  frame[LENGTH_BYTES] = PACKET;
  frame.writeUInt32BE(source, LENGTH_BYTES + 1);
  frame[LENGTH_BYTES + 5] = encoding;
  frame.writeDoubleBE(sequence, LENGTH_BYTES + 6);
  frame.writeDoubleBE(toMachineTime(arrivedAt), LENGTH_BYTES + 14);
  packet.copy(frame, LENGTH_BYTES + PACKET_HEADER_BYTES);
}

/** Splits a stream of bytes into frames. */
export class RelayFrameReader {
  readonly #listener: RelayFrameListener;
  /** Parts of a frame that is not complete. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** How many bytes must have arrived before the next frame can be read. */
  #bytesNeeded = LENGTH_BYTES;

  constructor(listener: RelayFrameListener) {
    this.#listener = listener;
  }

  /** Whether the bytes until now end within a frame. */
  get isWithinFrame(): boolean {
    return this.#bytes > 0;
  }

  /** @throws {Error} on an invalid frame: the rest of the stream cannot be read */
  read(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#bytesNeeded) return;
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let at = 0;
    this.#bytesNeeded = LENGTH_BYTES;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(at);
      if (length === 0 || length > MAX_FRAME_BYTES) throw new RangeError(`invalid frame length: ${length} bytes`);
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) {
        this.#bytesNeeded = end - at;
        break;
      }
      this.#deliver(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    this.#bytes = bytes.length - at;
    this.#pieces = this.#bytes ? [bytes.subarray(at)] : [];
  }

  #deliver(frame: Buffer): void {
    if (frame[0] === MESSAGE) return this.#listener.onMessage(JSON.parse(frame.toString('utf8', 1)) as RelayMessage);
    if (frame[0] !== PACKET || frame.length < PACKET_HEADER_BYTES) throw new RangeError('unknown frame type');
    const { source, encoding, packet } = readPacket(frame);
    this.#listener.onPacket(source, encoding, { ...packet, arrivedAt: fromMachineTime(packet.arrivedAt) });
  }
}

function readPacket(frame: Buffer): { readonly source: number; readonly encoding: number; readonly packet: FedPacket } {
  return {
    source: frame.readUInt32BE(1),
    encoding: frame[5]!,
    packet: {
      sequence: frame.readDoubleBE(6),
      arrivedAt: frame.readDoubleBE(14),
      packet: frame.subarray(PACKET_HEADER_BYTES),
    },
  };
}
