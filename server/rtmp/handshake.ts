import { randomBytes } from 'node:crypto';
import type { RtmpFault } from './rtmp-fault.js';

const VERSION = 3;
/** C1, C2, S1 and S2: time, zero, and 1528 random bytes. */
const PACKET_BYTES = 1536;
/** C0, C1 and C2. */
const HANDSHAKE_BYTES = 1 + 2 * PACKET_BYTES;
const RANDOM_AT = 8;
const EMPTY = Buffer.alloc(0);

export interface HandshakeStep {
  readonly send: Buffer;
  /** Bytes after the handshake. Undefined: the handshake is not complete. */
  readonly rest?: Buffer;
  readonly fault?: RtmpFault;
}

/**
 * The server's side of the simple handshake (RTMP 1.0 section 5.2). Encoders that offer the digest handshake of Flash
 * (ffmpeg, librtmp) see zero as the version in S1 and continue with the simple one. C2 is not compared, because some
 * encoders do not echo S1.
 */
export class Handshake {
  readonly #random: Buffer;
  /** Of C0, C1 and C2, what came in parts. */
  #received: Buffer = EMPTY;
  #length = 0;
  #answered = false;

  /** @param random 1528 bytes for S1 */
  constructor(random: Buffer = randomBytes(PACKET_BYTES - RANDOM_AT)) {
    this.#random = random;
  }

  /** Less than 3074 bytes. */
  get bufferedBytes(): number {
    return this.#length;
  }

  read(bytes: Buffer, now: number): HandshakeStep {
    const received = this.#length > 0 ? this.#append(bytes) : bytes;
    if (!this.#answered && received.length > 0 && received[0] !== VERSION) {
      return { send: EMPTY, fault: { reason: 'not_rtmp', message: 'This port speaks RTMP version 3' } };
    }
    const hasC1 = received.length >= 1 + PACKET_BYTES;
    const send = hasC1 && !this.#answered ? this.#answer(received.subarray(1, 1 + PACKET_BYTES), now) : EMPTY;
    this.#answered ||= hasC1;
    if (received.length >= HANDSHAKE_BYTES) {
      this.#received = EMPTY;
      this.#length = 0;
      return { send, rest: received.subarray(HANDSHAKE_BYTES) };
    }
    if (this.#length === 0) this.#append(received);
    return { send };
  }

  /** @returns all that came */
  #append(bytes: Buffer): Buffer {
    const length = this.#length + bytes.length;
    // What follows the handshake came with its last bytes, and is not kept.
    if (length > HANDSHAKE_BYTES) return Buffer.concat([this.#received.subarray(0, this.#length), bytes]);
    if (this.#received.length === 0) this.#received = Buffer.alloc(HANDSHAKE_BYTES);
    bytes.copy(this.#received, this.#length);
    this.#length = length;
    return this.#received.subarray(0, length);
  }

  /** S0, S1 and S2. S2 is C1 with the time at which it was read. */
  #answer(c1: Buffer, now: number): Buffer {
    const answer = Buffer.alloc(1 + 2 * PACKET_BYTES);
    answer[0] = VERSION;
    answer.writeUInt32BE(now >>> 0, 1);
    this.#random.copy(answer, 1 + RANDOM_AT);
    c1.copy(answer, 1 + PACKET_BYTES);
    answer.writeUInt32BE(now >>> 0, 1 + PACKET_BYTES + 4);
    return answer;
  }
}
