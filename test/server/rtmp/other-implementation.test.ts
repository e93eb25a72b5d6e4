import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EcmaArray, readAmf0, writeAmf0, type AmfValue } from '../../../server/rtmp/amf0.js';
import { ChunkReader, DEFAULT_CHUNK_SIZE } from '../../../server/rtmp/chunk-reader.js';
import { basicHeader, chunksOf } from '../../../server/rtmp/chunk-writer.js';
import { uint32 } from '../../../server/rtmp/integers.js';
import { MESSAGE_TYPE, type RtmpMessage } from '../../../server/rtmp/rtmp-message.js';
import {
  amfByNodeMediaServer,
  HANDSHAKE_BYTES,
  messagesByNodeMediaServer,
  valuesByNodeMediaServer,
} from '../../support/node-media-server.js';

const EXTENDED = 0xff_ff_ff;

/** A message as a chunk header can describe it: with all fields, or with what differs from the message before. */
interface Step {
  readonly stream: number;
  readonly format: 0 | 1 | 2 | 3;
  /** Absolute with format 0, else a difference. */
  readonly time: number;
  readonly typeId: number;
  readonly streamId: number;
  readonly payload: Uint8Array;
}

const step: fc.Arbitrary<Step> = fc.record({
  stream: fc.nat(3),
  format: fc.constantFrom(0, 1, 2, 3),
  time: fc.oneof(fc.nat(100), fc.integer({ min: 0xff_ff_f0, max: 0x1_00_00_40 })),
  typeId: fc.constantFrom(MESSAGE_TYPE.audio, MESSAGE_TYPE.video, MESSAGE_TYPE.amf0Data, MESSAGE_TYPE.amf0Command),
  streamId: fc.nat(0xff_ff_ff_ff),
  payload: fc.uint8Array({ minLength: 1, maxLength: 300 }),
});

/** The chunks of the steps, one message after the other. The first of a chunk stream has all fields. */
function chunksOfSteps(steps: readonly Step[], ids: readonly number[], chunkSize: number): Buffer {
  const before = new Map<number, { length: number; extended: Buffer }>();
  const parts: Buffer[] = [];
  for (const { stream, format: wanted, time, typeId, streamId, payload: bytes } of steps) {
    const id = ids[stream % ids.length]!;
    const known = before.get(id);
    const format = known ? wanted : 0;
    const length = format <= 1 ? bytes.length : known!.length;
    const payload = Buffer.alloc(length, bytes);
    const extended = format === 3 ? known!.extended : time >= EXTENDED ? uint32(time) : Buffer.alloc(0);
    const header = Buffer.alloc(11);
    header.writeUIntBE(Math.min(time, EXTENDED), 0, 3);
    header.writeUIntBE(length, 3, 3);
    header[6] = typeId;
    header.writeUInt32LE(streamId, 7);
    const fields = header.subarray(0, [11, 7, 3, 0][format]);
    for (let at = 0; at < length; at += chunkSize) {
      const start = at === 0 ? [basicHeader(format, id), fields] : [basicHeader(3, id)];
      parts.push(...start, extended, payload.subarray(at, at + chunkSize));
    }
    before.set(id, { length, extended });
  }
  return Buffer.concat(parts);
}

const setChunkSize = (size: number): Buffer =>
  chunksOf(
    { typeId: MESSAGE_TYPE.setChunkSize, streamId: 0, timestamp: 0, payload: uint32(size) },
    2,
    DEFAULT_CHUNK_SIZE,
  );

function messagesIn(chunks: Buffer): readonly RtmpMessage[] {
  const { messages, fault } = new ChunkReader().read(chunks);
  assert.equal(fault, undefined);
  return messages;
}

describe('the chunk reader and node-media-server', () => {
  it('read the same messages from all forms of chunk headers', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 3, max: 319 }), { minLength: 1, maxLength: 4 });
    const steps = fc.array(step, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(steps, ids, fc.integer({ min: 1, max: 400 }), (some, streams, chunkSize) => {
        const chunks = Buffer.concat([setChunkSize(chunkSize), chunksOfSteps(some, streams, chunkSize)]);
        const messages = messagesIn(chunks);
        assert.equal(messages.length, some.length);
        assert.deepEqual(messages, messagesByNodeMediaServer(chunks));
      }),
      { numRuns: 300 },
    );
  });

  it('read the same messages from a session of ffmpeg', () => {
    const recorded = readFileSync(new URL('recorded-session.bin', import.meta.url)).subarray(HANDSHAKE_BYTES);
    const messages = messagesIn(recorded);
    assert.ok(messages.length > 30);
    assert.deepEqual(messages, messagesByNodeMediaServer(recorded));
  });
});

const name = fc.string({ unit: fc.constantFrom(...'abcXYZ019_|@'), minLength: 1 });
const flat = [fc.double(), fc.boolean(), fc.constantFrom(null, undefined)];
const { value } = fc.letrec<{ value: AmfValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    ...flat,
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((all) => new Map(all)),
  ),
}));

/** As node-media-server returns it. */
function plain(one: AmfValue): unknown {
  if (one instanceof Map) return Object.fromEntries([...one].map(([key, inner]) => [key, plain(inner)]));
  return Array.isArray(one) ? one.map((inner) => plain(inner)) : one;
}

describe('AMF0 and node-media-server', () => {
  it('read the same values from what we write', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.array(fc.tuple(name, value)), (values, metadata) => {
        const all = [...values, new EcmaArray(metadata)];
        assert.deepEqual(valuesByNodeMediaServer(writeAmf0(...all)), all.map(plain));
      }),
      { numRuns: 300 },
    );
  });

  it('read the same values from what it writes', () => {
    const { written } = fc.letrec<{ written: unknown }>((tie) => ({
      written: fc.oneof({ depthSize: 'small', maxDepth: 5 }, ...flat, name, fc.dictionary(name, tie('written'))),
    }));
    fc.assert(
      fc.property(fc.array(written, { maxLength: 5 }), (values) => {
        const read = readAmf0(Buffer.concat(values.map(amfByNodeMediaServer)));
        assert.ok(read.ok);
        assert.deepEqual(read.values.map(plain), values.map(withPrototype));
      }),
      { numRuns: 300 },
    );
  });
});

/** fast-check gives objects without a prototype. */
function withPrototype(one: unknown): unknown {
  if (typeof one !== 'object' || one === null) return one;
  return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, withPrototype(inner)]));
}
