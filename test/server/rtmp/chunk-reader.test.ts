import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ChunkReader, MAX_BUFFERED_BYTES, MAX_PARTIAL_MESSAGES } from '../../../server/rtmp/chunk-reader.js';
import { basicHeader, chunksOf } from '../../../server/rtmp/chunk-writer.js';
import { uint32 } from '../../../server/rtmp/integers.js';
import { MAX_VIDEO_BYTES, MESSAGE_TYPE, type RtmpMessage } from '../../../server/rtmp/rtmp-message.js';

const { audio, video, setChunkSize, abort, amf0Command } = MESSAGE_TYPE;

const message = (fields: Partial<RtmpMessage> = {}): RtmpMessage => ({
  typeId: video,
  streamId: 1,
  timestamp: 40,
  payload: Buffer.from('hello'),
  ...fields,
});

const control = (typeId: number, value: number): Buffer =>
  chunksOf(message({ typeId, streamId: 0, payload: uint32(value) }), 2, 128);

/** The header of a message of video, which has not arrived. */
const declared = (chunkStreamId: number, length: number, typeId: number = video): Buffer =>
  Buffer.concat([basicHeader(0, chunkStreamId), uint24(0), uint24(length), Buffer.of(typeId, 1, 0, 0, 0)]);

const uint24 = (value: number): Buffer => uint32(value).subarray(1);

function readAll(bytes: Buffer, sizes: readonly number[] = [Infinity]) {
  const reader = new ChunkReader();
  const messages: RtmpMessage[] = [];
  let fault;
  let largest = 0;
  for (let at = 0, turn = 0; at < bytes.length && !fault; turn++) {
    const end = Math.min(bytes.length, at + sizes[turn % sizes.length]!);
    const reading = reader.read(Buffer.from(bytes.subarray(at, end)));
    messages.push(...reading.messages);
    fault = reading.fault;
    largest = Math.max(largest, reader.bufferedBytes);
    at = end;
  }
  return { messages, fault, largest, left: reader.bufferedBytes };
}

const reasonOf = (bytes: Buffer) => readAll(bytes).fault?.reason;

describe('a chunk reader', () => {
  it('reads a message of one chunk without a copy', () => {
    const bytes = chunksOf(message(), 6, 128);
    const [read] = new ChunkReader().read(bytes).messages;
    assert.deepEqual(read, message());
    assert.equal(read!.payload.buffer, bytes.buffer);
  });

  it('reads a message without a payload', () => {
    const empty = message({ payload: Buffer.alloc(0) });
    assert.deepEqual(readAll(chunksOf(empty, 6, 128)).messages, [empty]);
  });

  for (const id of [2, 3, 63, 64, 65, 319, 320, 575, 65_599]) {
    it(`reads chunk stream ${id}`, () => {
      const long = message({ payload: Buffer.alloc(300, id) });
      const other = chunksOf(message(), id === 2 ? 3 : 2, 128);
      const bytes = chunksOf(long, id, 128);
      const at = bytes.length - 44 - basicHeader(3, id).length;
      const interleaved = Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)]);
      assert.deepEqual(readAll(interleaved).messages, [message(), long]);
    });
  }

  it('adds differences to the timestamp, and repeats a header without one', () => {
    const bytes = Buffer.concat([
      chunksOf(message({ timestamp: 1000, payload: Buffer.from('a') }), 6, 128),
      // Format 1: a difference, length and type.
      Buffer.concat([basicHeader(1, 6), uint24(40), uint24(2), Buffer.of(audio), Buffer.from('bb')]),
      // Format 2: a difference.
      Buffer.concat([basicHeader(2, 6), uint24(20), Buffer.from('cc')]),
      // Format 3: the same difference.
      Buffer.concat([basicHeader(3, 6), Buffer.from('dd')]),
    ]);
    assert.deepEqual(readAll(bytes).messages, [
      message({ timestamp: 1000, payload: Buffer.from('a') }),
      message({ timestamp: 1040, typeId: audio, payload: Buffer.from('bb') }),
      message({ timestamp: 1060, typeId: audio, payload: Buffer.from('cc') }),
      message({ timestamp: 1080, typeId: audio, payload: Buffer.from('dd') }),
    ]);
  });

  it('takes an absolute timestamp as the difference of a repeated header (5.3.1.2.4)', () => {
    const bytes = Buffer.concat([
      chunksOf(message({ timestamp: 30 }), 6, 128),
      basicHeader(3, 6),
      Buffer.from('hello'),
    ]);
    assert.deepEqual(
      readAll(bytes).messages.map(({ timestamp }) => timestamp),
      [30, 60],
    );
  });

  it('accepts a first header without a message stream, as librtmp sends it', () => {
    const bytes = Buffer.concat([basicHeader(1, 2), uint24(0), uint24(1), Buffer.of(audio), Buffer.from('a')]);
    assert.deepEqual(readAll(bytes).messages, [
      message({ typeId: audio, streamId: 0, timestamp: 0, payload: Buffer.from('a') }),
    ]);
  });

  for (const timestamp of [0xff_ff_fe, 0xff_ff_ff, 0x01_00_00_00, 0xff_ff_ff_ff]) {
    const long = message({ timestamp, payload: Buffer.alloc(300, 7) });

    it(`reads the timestamp ${timestamp}, repeated in each chunk as by ffmpeg`, () => {
      assert.deepEqual(readAll(chunksOf(long, 6, 128)).messages, [long]);
    });

    it(`reads the timestamp ${timestamp}, not repeated`, () => {
      const extended = timestamp >= 0xff_ff_ff ? uint32(timestamp) : Buffer.alloc(0);
      const bytes = Buffer.concat([
        declared(6, 300).fill(uint24(Math.min(timestamp, 0xff_ff_ff)), 1, 4),
        extended,
        long.payload.subarray(0, 128),
        basicHeader(3, 6),
        long.payload.subarray(128, 256),
        basicHeader(3, 6),
        long.payload.subarray(256),
      ]);
      assert.deepEqual(readAll(bytes).messages, [long]);
    });
  }

  it('lets timestamps wrap at 2^32', () => {
    const bytes = Buffer.concat([
      chunksOf(message({ timestamp: 0xff_ff_ff_ff }), 6, 128),
      Buffer.concat([basicHeader(2, 6), uint24(41), Buffer.from('hello')]),
    ]);
    assert.deepEqual(
      readAll(bytes).messages.map(({ timestamp }) => timestamp),
      [0xff_ff_ff_ff, 40],
    );
  });

  it('obeys Set Chunk Size', () => {
    const long = message({ payload: Buffer.alloc(5_000, 1) });
    const bytes = Buffer.concat([control(setChunkSize, 4096), chunksOf(long, 6, 4096)]);
    assert.deepEqual(readAll(bytes).messages, [long]);
  });

  it('takes a chunk size above 16 MiB as the largest', () => {
    const bytes = Buffer.concat([control(setChunkSize, 0x7f_ff_ff_ff), chunksOf(message(), 6, 128)]);
    assert.deepEqual(readAll(bytes), { messages: [message()], fault: undefined, largest: 0, left: 0 });
  });

  for (const size of [0, 0x80_00_00_00, 0xff_ff_ff_ff]) {
    it(`refuses a chunk size of ${size}`, () => assert.equal(reasonOf(control(setChunkSize, size)), 'chunk_invalid'));
  }

  it('obeys Abort: the next chunk begins a message', () => {
    const long = chunksOf(message({ payload: Buffer.alloc(300) }), 6, 128);
    const bytes = Buffer.concat([
      long.subarray(0, 200),
      Buffer.alloc(69),
      control(abort, 6),
      chunksOf(message(), 6, 128),
    ]);
    assert.deepEqual(readAll(bytes).messages, [message()]);
  });

  it('ignores Abort of an unknown chunk stream', () => {
    assert.deepEqual(readAll(Buffer.concat([control(abort, 9), chunksOf(message(), 6, 128)])).messages, [message()]);
  });

  for (const format of [2, 3] as const) {
    it(`refuses a chunk stream that begins with format ${format}`, () => {
      assert.equal(reasonOf(Buffer.concat([basicHeader(format, 6), Buffer.alloc(20)])), 'chunk_invalid');
    });
  }

  it('refuses thousands of short messages at once', () => {
    const many = (count: number) => {
      const repeated = Array.from({ length: count - 1 }, () => Buffer.concat([basicHeader(3, 6), Buffer.from('a')]));
      return Buffer.concat([chunksOf(message({ payload: Buffer.from('a') }), 6, 128), ...repeated]);
    };
    assert.equal(readAll(many(4_096)).messages.length, 4_096);
    assert.equal(reasonOf(many(5_000)), 'chunk_invalid');
  });

  it('refuses a message that begins inside another one', () => {
    const long = chunksOf(message({ payload: Buffer.alloc(300) }), 6, 128);
    assert.equal(reasonOf(Buffer.concat([long.subarray(0, 140), chunksOf(message(), 6, 128)])), 'chunk_invalid');
  });

  for (const [what, typeId, length] of [
    ['video', video, MAX_VIDEO_BYTES],
    ['audio', audio, 64 * 1024],
    ['a command', amf0Command, 16 * 1024],
    ['a control message', abort, 64],
    ['a message of an unknown type', 99, 64 * 1024],
  ] as const) {
    it(`refuses ${what} of more than ${length} bytes before it arrives`, () => {
      assert.equal(reasonOf(declared(6, length, typeId)), undefined);
      assert.equal(reasonOf(declared(6, length + 1, typeId)), 'message_too_long');
    });
  }

  it('refuses a thousand chunk streams', () => {
    const bytes = Array.from({ length: 1000 }, (_, index) => chunksOf(message(), 2 + index, 128));
    const { messages, fault } = readAll(Buffer.concat(bytes));
    assert.deepEqual([messages.length, fault?.reason], [64, 'too_many_chunk_streams']);
  });

  it('refuses more partial messages than it can hold', () => {
    const bytes = (count: number) =>
      Buffer.concat(Array.from({ length: count }, (_, index) => [declared(2 + index, 300), Buffer.alloc(128)]).flat());
    assert.equal(reasonOf(bytes(MAX_PARTIAL_MESSAGES)), undefined);
    assert.equal(reasonOf(bytes(MAX_PARTIAL_MESSAGES + 1)), 'buffer_full');
  });

  it('keeps little of a message that is declared long and does not arrive', () => {
    const { largest } = readAll(Buffer.concat([declared(6, MAX_VIDEO_BYTES), Buffer.alloc(100)]));
    assert.equal(largest, 1024);
  });

  it('never keeps more than its limit, with partial messages of full length', () => {
    const start = control(setChunkSize, 0xff_ff_ff);
    const almost = Buffer.alloc(MAX_VIDEO_BYTES - 1);
    const reader = new ChunkReader();
    assert.equal(reader.read(Buffer.concat([start, declared(6, MAX_VIDEO_BYTES), almost])).fault, undefined);
    assert.equal(reader.bufferedBytes, MAX_VIDEO_BYTES);
    // One chunk of a message must be complete before another chunk begins.
    const small = new ChunkReader();
    small.read(control(setChunkSize, MAX_VIDEO_BYTES - 1));
    const one = Buffer.concat([declared(6, MAX_VIDEO_BYTES), almost]);
    assert.equal(small.read(one).fault, undefined);
    assert.equal(small.read(Buffer.concat([declared(7, MAX_VIDEO_BYTES), almost])).fault?.reason, 'buffer_full');
    assert.equal(small.bufferedBytes, 0);
  });

  it('reads nothing after a fault, and frees what it kept', () => {
    const reader = new ChunkReader();
    reader.read(Buffer.concat([declared(6, 300), Buffer.alloc(128)]));
    const { fault } = reader.read(control(setChunkSize, 0));
    assert.deepEqual(reader.read(chunksOf(message(), 8, 128)), { messages: [], fault });
    assert.equal(reader.bufferedBytes, 0);
  });
});

const anyMessage = fc
  .tuple(
    fc.constantFrom(audio, video, amf0Command, 4, 22),
    fc.nat(),
    fc.oneof(fc.nat(100_000), fc.integer({ min: 0xff_ff_f0, max: 0xff_ff_ff_ff })),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([typeId, streamId, timestamp, bytes]) => message({ typeId, streamId, timestamp, payload: Buffer.from(bytes) }));
const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });

describe('chunks', () => {
  it('bring the messages that were written, however the bytes are split', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 2, max: 65_599 }), { minLength: 1, maxLength: 8 });
    const sent = fc.array(fc.tuple(anyMessage, fc.nat(7)), { maxLength: 30 });
    fc.assert(
      fc.property(sent, ids, fc.integer({ min: 1, max: 70 }), sizes, (written, streams, chunkSize, cuts) => {
        const parts = written.map(([one, index]) => chunksOf(one, streams[index % streams.length]!, chunkSize));
        const { messages, fault, left } = readAll(Buffer.concat([control(setChunkSize, chunkSize), ...parts]), cuts);
        assert.deepEqual([messages, fault, left], [written.map(([one]) => one), undefined, 0]);
      }),
    );
  });

  it('of several streams can be interleaved', () => {
    const two = fc.tuple(anyMessage, anyMessage, fc.array(fc.boolean()), sizes);
    fc.assert(
      fc.property(two, ([one, other, turns, cuts]) => {
        const chunks = [chunked(one, 5), chunked(other, 900)];
        const order = [...turns.map(Number), ...Array<number>(130).fill(0), ...Array<number>(130).fill(1)];
        const bytes = order.map((stream) => chunks[stream]!.shift() ?? Buffer.alloc(0));
        const { messages } = readAll(Buffer.concat([control(setChunkSize, 1), ...bytes]), cuts);
        assert.deepEqual(new Set(messages.map(keyOf)), new Set([one, other].map(keyOf)));
      }),
    );
  });

  it('of garbage bring no more than a fault, the same for any split, and keep less than the limit', () => {
    // Few different bytes: otherwise the length or the format ends nearly every case at once.
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 2, 3, 4, 8, 9, 0x42, 0x43, 0x83, 0xc3, 0xc4, 0xff));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 3_000 }), sizes, (bytes, cuts) => {
        const atOnce = readAll(Buffer.from(bytes));
        const split = readAll(Buffer.from(bytes), cuts);
        assert.deepEqual([split.messages, split.fault], [atOnce.messages, atOnce.fault]);
        assert.ok(split.largest <= Math.min(MAX_BUFFERED_BYTES, 2 * bytes.length + MAX_PARTIAL_MESSAGES * 1024));
      }),
      { numRuns: 500 },
    );
  });
});

/** The chunks of a message with one byte each. */
function chunked(one: RtmpMessage, id: number): Buffer[] {
  const bytes = chunksOf(one, id, 1);
  const extended = one.timestamp >= 0xff_ff_ff ? 4 : 0;
  const first = basicHeader(0, id).length + 11 + extended + Math.min(1, one.payload.length);
  const next = basicHeader(3, id).length + extended + 1;
  const chunks = [bytes.subarray(0, first)];
  for (let at = first; at < bytes.length; at += next) chunks.push(bytes.subarray(at, at + next));
  return chunks;
}

const keyOf = ({ payload, ...rest }: RtmpMessage): string =>
  JSON.stringify({ ...rest, payload: payload.toString('hex') });
