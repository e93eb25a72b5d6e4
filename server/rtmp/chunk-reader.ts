import type { RtmpFault, RtmpFaultReason } from './rtmp-fault.js';
import { MAX_VIDEO_BYTES, maxLengthOf, MESSAGE_TYPE, type RtmpMessage } from './rtmp-message.js';

/** Until a Set Chunk Size (RTMP 1.0 section 5.4.1). */
export const DEFAULT_CHUNK_SIZE = 128;
/** No message is longer, so that larger sizes mean the same (RTMP 1.0 section 5.4.1). Nothing of this size is kept. */
const MAX_CHUNK_SIZE = 0xff_ff_ff;
/** Encoders use up to eight. A header is kept of each. */
const MAX_CHUNK_STREAMS = 64;
/** Encoders interleave at most one message each of audio, video, data and commands. */
export const MAX_PARTIAL_MESSAGES = 16;
/** One video message of full length, and small ones beside it. */
export const MAX_BUFFERED_BYTES = MAX_VIDEO_BYTES + 1024 * 1024;

/** Of what is read at once. A socket returns up to 64 kB, and the messages of encoders have some hundred bytes. */
const MAX_MESSAGES_AT_ONCE = 4_096;

/** The first buffer of a partial message. A buffer grows with what arrives, not with the length that is declared. */
const FIRST_CAPACITY = 1024;
/** By format: message header of 11, 7, 3 or 0 bytes (RTMP 1.0 section 5.3.1.2). */
const MESSAGE_HEADER_BYTES = [11, 7, 3, 0] as const;
/** A timestamp field with this value is followed by four bytes (RTMP 1.0 section 5.3.1.3). */
const EXTENDED = 0xff_ff_ff;
const EMPTY = Buffer.alloc(0);

/** The last message header of a chunk stream, and what has arrived of its message. */
interface ChunkStream {
  /** Absolute, modulo 2^32. */
  timestamp: number;
  /** As in the last header that had one: absolute or a difference. */
  timestampField: number;
  isExtended: boolean;
  length: number;
  typeId: number;
  streamId: number;
  /** The buffer of a message that is not complete. */
  partial: Buffer | undefined;
  received: number;
}

export interface ChunkReading {
  /** Without Set Chunk Size and Abort, which the reader obeys. A payload can be a view of the bytes that were read. */
  readonly messages: readonly RtmpMessage[];
  readonly fault?: RtmpFault;
}

/** Reads messages from chunks (RTMP 1.0 section 5.3), however the bytes are split. After a fault it reads nothing. */
export class ChunkReader {
  readonly #streams = new Map<number, ChunkStream>();
  #chunkSize = DEFAULT_CHUNK_SIZE;
  /** The start of a chunk header that is not complete: at most 17 bytes. */
  #header: Buffer = EMPTY;
  /** The chunk stream whose chunk is not complete, and the bytes that its chunk still has. */
  #current: ChunkStream | undefined;
  #left = 0;
  #partialMessages = 0;
  #partialBytes = 0;
  #fault: RtmpFault | undefined;

  /** Memory that is kept for bytes of the peer. */
  get bufferedBytes(): number {
    return this.#header.length + this.#partialBytes;
  }

  read(bytes: Buffer): ChunkReading {
    const messages: RtmpMessage[] = [];
    const input = this.#header.length > 0 ? Buffer.concat([this.#header, bytes]) : bytes;
    this.#header = EMPTY;
    for (let at = 0; !this.#fault;) {
      if (!this.#current) {
        const start = this.#openChunk(input, at);
        if (start === undefined) {
          this.#header = Buffer.from(input.subarray(at));
          break;
        }
        at = start;
      }
      const end = Math.min(at + this.#left, input.length);
      const message = this.#addPayload(input, at, end);
      at = end;
      if (message && !this.#obeys(message)) messages.push(message);
      if (messages.length > MAX_MESSAGES_AT_ONCE) this.#fail('chunk_invalid', 'Too many short messages came at once');
      if (this.#left > 0) break;
    }
    if (!this.#fault) return { messages };
    this.#release();
    return { messages, fault: this.#fault };
  }

  /** @returns where the payload of the chunk starts; undefined: the header is not complete, or there is a fault */
  #openChunk(input: Buffer, at: number): number | undefined {
    const first = input[at];
    if (first === undefined) return undefined;
    const format = (first >> 6) as 0 | 1 | 2 | 3;
    const short = first & 0x3f;
    const fieldAt = at + (short > 1 ? 1 : 2 + short);
    const payloadAt = fieldAt + MESSAGE_HEADER_BYTES[format];
    if (payloadAt > input.length) return undefined;
    const id = short > 1 ? short : 64 + (short === 0 ? input[at + 1]! : input.readUInt16LE(at + 1));
    const stream = this.#streams.get(id) ?? this.#newStream(format);
    if (!stream) return undefined;
    if (stream.partial && format !== 3) return this.#fail('chunk_invalid', 'A message began inside another one');

    const field = format === 3 ? undefined : input.readUIntBE(fieldAt, 3);
    const isExtended = field === undefined ? stream.isExtended : field === EXTENDED;
    if (isExtended && payloadAt + 4 > input.length) return undefined;
    const extended = isExtended ? input.readUInt32BE(payloadAt) : undefined;
    // Some encoders do not repeat the extended timestamp in chunks of format 3. A payload that begins with the same
    // four bytes would be misread: one in 2^32.
    const hasExtended = isExtended && (format !== 3 || extended === stream.timestampField);

    if (format <= 1) {
      stream.length = input.readUIntBE(fieldAt + 3, 3);
      stream.typeId = input[fieldAt + 6]!;
    }
    if (format === 0) stream.streamId = input.readUInt32LE(fieldAt + 7);
    if (field !== undefined) {
      stream.isExtended = isExtended;
      stream.timestampField = extended ?? field;
    }
    if (!stream.partial) {
      // Format 3 repeats the field of the header before, also if that was an absolute timestamp (section 5.3.1.2.4).
      const base = format === 0 ? 0 : stream.timestamp;
      stream.timestamp = (base + stream.timestampField) >>> 0;
      stream.received = 0;
      if (stream.length > maxLengthOf(stream.typeId)) {
        return this.#fail('message_too_long', `A message of type ${stream.typeId} has ${stream.length} bytes`);
      }
    }
    this.#streams.set(id, stream);
    this.#current = stream;
    this.#left = Math.min(this.#chunkSize, stream.length - stream.received);
    return hasExtended ? payloadAt + 4 : payloadAt;
  }

  /** librtmp begins a chunk stream with format 1, so that is allowed, as a difference to zero. */
  #newStream(format: number): ChunkStream | undefined {
    if (format > 1) return this.#fail('chunk_invalid', 'A chunk stream began without a message header');
    if (this.#streams.size === MAX_CHUNK_STREAMS) {
      return this.#fail('too_many_chunk_streams', `There are more than ${MAX_CHUNK_STREAMS} chunk streams`);
    }
    const nothing = { timestamp: 0, timestampField: 0, length: 0, typeId: 0, streamId: 0, received: 0 };
    return { ...nothing, isExtended: false, partial: undefined };
  }

  /** @returns the message, if it is complete now */
  #addPayload(input: Buffer, at: number, end: number): RtmpMessage | undefined {
    const stream = this.#current!;
    const { timestamp, typeId, streamId, length } = stream;
    this.#left -= end - at;
    if (this.#left === 0) this.#current = undefined;
    if (end - at === length) return { typeId, streamId, timestamp, payload: input.subarray(at, end) };
    if (end === at) return undefined;
    if (!this.#makeRoom(stream, stream.received + end - at)) return undefined;
    // Without a view of the part: chunks can have one byte.
    input.copy(stream.partial!, stream.received, at, end);
    stream.received += end - at;
    if (stream.received < length) return undefined;
    const payload = stream.partial!;
    this.#forget(stream);
    return { typeId, streamId, timestamp, payload };
  }

  /** Doubles the buffer of the message, up to the length of the message. @returns false: a limit is reached */
  #makeRoom(stream: ChunkStream, needed: number): boolean {
    const { partial, length } = stream;
    const had = partial?.length ?? 0;
    if (partial && had >= needed) return true;
    const capacity = Math.min(length, Math.max(2 * needed, FIRST_CAPACITY));
    if (!partial) this.#partialMessages++;
    this.#partialBytes += capacity - had;
    if (this.#partialMessages > MAX_PARTIAL_MESSAGES || this.#partialBytes > MAX_BUFFERED_BYTES) {
      this.#fail('buffer_full', 'Too much is sent in messages that are not complete');
      return false;
    }
    stream.partial = Buffer.allocUnsafe(capacity);
    partial?.copy(stream.partial, 0, 0, stream.received);
    return true;
  }

  #forget(stream: ChunkStream): void {
    if (!stream.partial) return;
    this.#partialMessages--;
    this.#partialBytes -= stream.partial.length;
    stream.partial = undefined;
    stream.received = 0;
  }

  /** @returns whether the message was for the reader */
  #obeys({ typeId, payload }: RtmpMessage): boolean {
    if (typeId !== MESSAGE_TYPE.setChunkSize && typeId !== MESSAGE_TYPE.abort) return false;
    const value = payload.length >= 4 ? payload.readUInt32BE() : 0;
    if (typeId === MESSAGE_TYPE.abort) {
      const stream = this.#streams.get(value);
      if (stream) this.#forget(stream);
    } else if (value === 0 || value > 0x7f_ff_ff_ff) {
      this.#fail('chunk_invalid', `A chunk size of ${value} is not possible`);
    } else {
      this.#chunkSize = Math.min(value, MAX_CHUNK_SIZE);
    }
    return true;
  }

  #fail(reason: RtmpFaultReason, message: string): undefined {
    this.#fault = { reason, message };
  }

  #release(): void {
    this.#streams.clear();
    this.#current = undefined;
    this.#left = 0;
    this.#partialBytes = 0;
    this.#partialMessages = 0;
    this.#header = EMPTY;
  }
}
