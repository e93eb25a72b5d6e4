import fc from 'fast-check';
import { readAggregate } from '../../../server/rtmp/aggregate.js';
import { readAacConfig } from '../../../server/rtmp/aac-config.js';
import { readAmf0 } from '../../../server/rtmp/amf0.js';
import { readAvcConfig } from '../../../server/rtmp/avc.js';
import { ChunkReader } from '../../../server/rtmp/chunk-reader.js';
import { readCommand } from '../../../server/rtmp/commands.js';
import { FlvMedia } from '../../../server/rtmp/flv-media.js';
import { readAudioTag, readVideoTag } from '../../../server/rtmp/flv-tag.js';
import { Handshake } from '../../../server/rtmp/handshake.js';
import { maxLengthOf, MESSAGE_TYPE } from '../../../server/rtmp/rtmp-message.js';
import { RtmpSession } from '../../../server/rtmp/rtmp-session.js';
import { readMetadata } from '../../../server/rtmp/stream-metadata.js';
import { readStreamKey } from '../../../server/rtmp/stream-key.js';
import { costRow, MB, repeated, repeatedBytes, type BytesElement, type CheckedRow } from '../../support/cost.js';
import { MAX_STRING_BYTES } from '../../../server/rtmp/amf0.js';
import { untilPublish } from '../rtmp/fake-encoder.js';

/** What one read of a socket returns at most. */
const READ = 64 * 1024;

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 24 });
const oneOf = (...known: readonly BytesElement[]): fc.Arbitrary<BytesElement> =>
  fc.oneof(fc.constantFrom(...known), anyBytes);

const SMALLEST_CHUNKS = bytes(0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 1);
/** A chunk stream of messages with so many bytes. */
const messages = (type: number, length: number): Uint8Array =>
  bytes(
    0x04,
    0,
    0,
    0,
    length >> 16,
    (length >> 8) & 0xff,
    length & 0xff,
    type,
    1,
    0,
    0,
    0,
    ...Array<number>(Math.min(length, 128)).fill(0),
  );

const chunks = oneOf(
  bytes(0xc4),
  bytes(0xc4, 0),
  bytes(0xc4, 0x17, 1),
  bytes(0x84, 0, 0, 0),
  messages(MESSAGE_TYPE.audio, 0),
  messages(MESSAGE_TYPE.audio, 1),
  messages(MESSAGE_TYPE.video, 5),
  messages(MESSAGE_TYPE.setChunkSize, 4),
  bytes(0x02, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 4),
  (index) => bytes(0x00, index & 0xff, 0, 0, 0, 0xff, 0xff, 0xff, MESSAGE_TYPE.video, 1, 0, 0, 0),
);
const begun = fc.constantFrom(
  messages(MESSAGE_TYPE.audio, 0),
  messages(MESSAGE_TYPE.audio, 1),
  messages(MESSAGE_TYPE.video, 5),
);

const chunkInputs = fc
  .tuple(fc.boolean(), begun, repeatedBytes(chunks))
  .map(([areSmall, first, grow]) => (size: number) => {
    const start = Buffer.concat([areSmall ? SMALLEST_CHUNKS : bytes(), first]);
    return Buffer.concat([start, grow(size - start.length)]);
  });

/** A message of an aggregate. */
const part = (type: number, length: number): Uint8Array =>
  bytes(type, 0, length >> 8, length & 0xff, ...Array<number>(11 - 4 + length + 4).fill(0));

const amf = oneOf(
  bytes(5),
  bytes(6),
  bytes(1, 1),
  bytes(2, 0, 0),
  bytes(2, 0, 1, 0x61),
  bytes(3),
  bytes(3, 0, 0),
  bytes(3, 0, 0, 9),
  bytes(8, 0xff, 0xff, 0xff, 0xff),
  bytes(10, 0, 0, 0, 1),
  bytes(15, 0, 0, 0, 0),
  bytes(16, 0, 0, 0, 0, 9),
  bytes(10, 0xff, 0xff, 0xff, 0xff),
  bytes(0, 0, 0, 0, 0, 0, 0, 0, 0),
  (index) => bytes(0, 2, 0x41 + (index % 26), 0x41 + ((index >> 4) % 26), 5),
);
const COMMAND = Buffer.from([2, 0, 1, 0x78, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const metadataStart = Buffer.concat([bytes(2, 0, 10), Buffer.from('onMetaData'), bytes(3)]);

const tags = oneOf(
  bytes(0x17, 1, 0, 0, 0),
  bytes(0),
  bytes(0, 0, 0, 0),
  bytes(0, 0, 0, 1, 0x65),
  bytes(0x67),
  bytes(0, 1, 0x67),
  bytes(0x07, 0),
  bytes(0xff, 0xff, 0xff),
);
/** Headers of tags: H.264 as it was and as enhanced RTMP has it, modifiers, several tracks, AAC and Opus. */
const TAG_HEADERS: readonly Uint8Array[] = [
  bytes(0x17, 1, 0, 0, 0),
  bytes(0x17, 0, 0, 0, 0, 1, 0x64, 0, 0x1f, 0xff, 0xff),
  bytes(0x91, ...Buffer.from('avc1'), 0, 0, 0),
  bytes(0x97),
  bytes(0x96, 0x11, ...Buffer.from('avc1')),
  bytes(0x96, 0x21),
  bytes(0xaf, 1),
  bytes(0xaf, 0),
  bytes(0x95, 0x21),
];

const tagInputs = fc.tuple(fc.constantFrom(...TAG_HEADERS), repeatedBytes(tags)).map(
  ([header, grow]) =>
    (size: number) =>
      Buffer.concat([header, grow(size - header.length)]),
);

/** With four bytes before each NAL unit. */
const AVC_CONFIG = Buffer.from([0x17, 0, 0, 0, 0, 1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, 1, 0x67, 1, 0, 1, 0x68]);

export const rtmpRows: readonly CheckedRow[] = [
  costRow({
    name: 'an RTMP handshake',
    parsers: [],
    limit: READ,
    inputs: repeatedBytes(bytes(0), () => bytes(3)),
    read: (input) => new Handshake().read(input, 0),
  }),
  costRow({
    name: 'an RTMP handshake that comes byte by byte',
    parsers: [],
    limit: 3_073,
    inputs: repeatedBytes(bytes(0), () => bytes(3)),
    read: (input) => {
      const handshake = new Handshake();
      for (let at = 0; at < input.length; at++) handshake.read(input.subarray(at, at + 1), 0);
    },
    // Node has an object for the view of each byte.
    fixedMemory: MB,
  }),
  costRow({
    name: 'RTMP chunks of any messages',
    parsers: ['server/rtmp/chunk-reader.ts ChunkReader'],
    limit: READ,
    inputs: chunkInputs,
    read: (input) => new ChunkReader().read(input),
    // 4,096 messages, each with a view of the input.
    fixedMemory: 1.5 * MB,
  }),
  costRow({
    name: 'RTMP chunks of a publisher, with their media',
    parsers: [],
    limit: READ,
    inputs: chunkInputs,
    read: (input) => {
      const session = new RtmpSession(0);
      session.receive(untilPublish(), 0);
      session.accept(0);
      const media = new FlvMedia();
      return session.receive(input, 0).events.map((event) => (event.name === 'media' ? media.read(event) : event.name));
    },
    // 4,096 messages, and what they say.
    fixedMemory: 4 * MB,
  }),
  costRow({
    name: 'RTMP before anything is accepted',
    parsers: [],
    limit: READ,
    inputs: chunkInputs,
    read: (input) => {
      const session = new RtmpSession(0);
      session.receive(Buffer.concat([bytes(3), Buffer.alloc(3_072)]), 0);
      return session.receive(input, 0);
    },
    // 4,096 messages, of which none is kept.
    fixedMemory: 1.5 * MB,
  }),
  costRow({
    name: 'an RTMP message of messages',
    parsers: ['server/rtmp/aggregate.ts readAggregate'],
    limit: maxLengthOf(MESSAGE_TYPE.aggregate),
    inputs: repeatedBytes(
      fc.constantFrom<BytesElement>(
        part(18, 0),
        part(9, 5),
        part(9, 2_000),
        part(22, 0),
        bytes(9, 0, 0xff, 0xff),
        bytes(0),
      ),
      () => part(8, 1),
    ),
    read: (payload) => readAggregate({ typeId: MESSAGE_TYPE.aggregate, streamId: 1, timestamp: 0, payload }),
    // 4,096 messages, each with a view of the input.
    fixedMemory: 1.5 * MB,
  }),
  costRow({
    name: 'AMF0 of a command',
    parsers: ['server/rtmp/amf0.ts readAmf0'],
    limit: maxLengthOf(MESSAGE_TYPE.amf0Command),
    inputs: repeatedBytes(amf),
    read: readAmf0,
    // 1,024 values, and no more.
    fixedMemory: 0.25 * MB,
  }),
  costRow({
    name: 'an RTMP command',
    parsers: ['server/rtmp/commands.ts readCommand'],
    limit: maxLengthOf(MESSAGE_TYPE.amf0Command),
    inputs: repeatedBytes(amf, () => COMMAND),
    read: (payload) => readCommand({ typeId: MESSAGE_TYPE.amf0Command, streamId: 0, timestamp: 0, payload }),
    fixedMemory: 0.25 * MB,
  }),
  costRow({
    name: 'AMF0 of metadata',
    parsers: ['server/rtmp/stream-metadata.ts readMetadata'],
    limit: maxLengthOf(MESSAGE_TYPE.amf0Data),
    inputs: repeatedBytes(amf, () => metadataStart),
    read: readMetadata,
  }),
  costRow({
    name: 'FLV tags of one video message',
    parsers: [
      'server/rtmp/flv-tag.ts readVideoTag',
      'server/rtmp/flv-tag.ts readAudioTag',
      'server/rtmp/avc.ts readAvcConfig',
    ],
    limit: maxLengthOf(MESSAGE_TYPE.video),
    inputs: tagInputs,
    read: (payload) => {
      const media = new FlvMedia();
      media.read({ kind: 'video', timestamp: 0, payload: AVC_CONFIG });
      return [
        readVideoTag(payload),
        readAudioTag(payload),
        readAvcConfig(payload.subarray(5)),
        media.read({ kind: 'video', timestamp: 1, payload }),
      ];
    },
  }),
  costRow({
    name: 'FLV tags of one audio message',
    parsers: ['server/rtmp/aac-config.ts readAacConfig'],
    limit: maxLengthOf(MESSAGE_TYPE.audio),
    inputs: tagInputs,
    read: (payload) => [
      new FlvMedia().read({ kind: 'audio', timestamp: 1, payload }),
      readAacConfig(payload.subarray(2)),
    ],
  }),
  costRow({
    name: 'an RTMP address and stream key',
    parsers: ['server/rtmp/stream-key.ts readStreamKey'],
    limit: MAX_STRING_BYTES,
    inputs: repeated(
      fc.constantFrom('/', '?', '&', '=', '%', '%41', 'a&', 'token=', 'live/', 'v2/pub/', '\u00e9', ';'),
    ),
    read: (text) => [
      readStreamKey({ app: text, streamKey: text, tcUrl: `rtmp://x/${text}` }),
      readStreamKey({ app: 'live', streamKey: text, tcUrl: text }),
    ],
  }),
];
