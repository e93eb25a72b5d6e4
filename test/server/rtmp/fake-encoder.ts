import { readAmf0, writeAmf0, type AmfValue } from '../../../server/rtmp/amf0.js';
import { ChunkReader } from '../../../server/rtmp/chunk-reader.js';
import { chunksOf } from '../../../server/rtmp/chunk-writer.js';
import { uint32 } from '../../../server/rtmp/integers.js';
import { MESSAGE_TYPE, type RtmpMessage } from '../../../server/rtmp/rtmp-message.js';

/** C0, C1 and C2 as an encoder sends them. */
export const C0_C1 = Buffer.concat([Buffer.of(3), Buffer.alloc(8), Buffer.alloc(1528, 0xc1)]);
export const C2 = Buffer.alloc(1536, 0xc2);

/** What the server sends in the handshake. */
export const S0_S1_S2_BYTES = 3073;

const CHUNK_SIZE = 128;

/** A message on the message stream of the publisher, in chunks of 128 bytes. */
export function messageBytes(message: Partial<RtmpMessage> & Pick<RtmpMessage, 'typeId'>, chunkStreamId = 4): Buffer {
  return chunksOf({ streamId: 1, timestamp: 0, payload: Buffer.alloc(0), ...message }, chunkStreamId, CHUNK_SIZE);
}

export function commandBytes(...values: readonly AmfValue[]): Buffer {
  return messageBytes({ typeId: MESSAGE_TYPE.amf0Command, streamId: 0, payload: writeAmf0(...values) }, 3);
}

export const commands = {
  connect: (fields: Readonly<Record<string, AmfValue>> = {}): Buffer =>
    commandBytes(
      'connect',
      1,
      new Map(Object.entries({ app: 'v2/pub', tcUrl: 'rtmp://localhost/v2/pub', type: 'nonprivate', ...fields })),
    ),
  releaseStream: commandBytes('releaseStream', 2, null, 'news?token=secret'),
  fcPublish: commandBytes('FCPublish', 3, null, 'news?token=secret'),
  createStream: commandBytes('createStream', 4, null),
  publish: (streamKey = 'news?token=secret'): Buffer => commandBytes('publish', 5, null, streamKey, 'live'),
  fcUnpublish: commandBytes('FCUnpublish', 6, null, 'news?token=secret'),
  deleteStream: commandBytes('deleteStream', 7, null, 1),
  play: commandBytes('play', 8, null, 'news'),
};

export const videoBytes = (timestamp: number, payload: Buffer): Buffer =>
  messageBytes({ typeId: MESSAGE_TYPE.video, timestamp, payload }, 6);

export const audioBytes = (timestamp: number, payload: Buffer): Buffer =>
  messageBytes({ typeId: MESSAGE_TYPE.audio, timestamp, payload }, 4);

/** A message inside an aggregate, as an FLV tag. */
export function aggregatePart(typeId: number, timestamp: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(11);
  header[0] = typeId;
  header.writeUIntBE(payload.length, 1, 3);
  header.writeUIntBE(timestamp & 0xff_ff_ff, 4, 3);
  header[7] = timestamp >>> 24;
  return Buffer.concat([header, payload, uint32(11 + payload.length)]);
}

export const dataBytes = (timestamp: number, payload: Buffer): Buffer =>
  messageBytes({ typeId: MESSAGE_TYPE.amf0Data, timestamp, payload }, 4);

/** Everything up to `publish`. @param fields more of the command `connect` */
export function untilPublish(streamKey?: string, fields?: Readonly<Record<string, AmfValue>>): Buffer {
  const { releaseStream, fcPublish, createStream } = commands;
  return Buffer.concat([
    C0_C1,
    C2,
    commands.connect(fields),
    releaseStream,
    fcPublish,
    createStream,
    commands.publish(streamKey),
  ]);
}

/** The messages of the server after its handshake, in chunks of the size that its answer to connect sets. */
export function answersIn(sent: Buffer): readonly RtmpMessage[] {
  const size = messageBytes({ typeId: MESSAGE_TYPE.setChunkSize, payload: uint32(4096) }, 2);
  return new ChunkReader().read(Buffer.concat([size, sent])).messages;
}

/** The values of the commands of the server after its handshake. */
export function commandsIn(sent: Buffer): readonly (readonly AmfValue[])[] {
  return answersIn(sent)
    .filter(({ typeId }) => typeId === MESSAGE_TYPE.amf0Command)
    .map(({ payload }) => {
      const read = readAmf0(payload);
      return read.ok ? read.values : [];
    });
}

type Status = Readonly<Record<string, AmfValue>>;

/** The fields of each `onStatus` of the server. */
export const statusesIn = (sent: Buffer): readonly Status[] =>
  commandsIn(sent)
    .filter(([name]) => name === 'onStatus')
    .map((status) => Object.fromEntries(status[3] as ReadonlyMap<string, AmfValue>));

/** Those of the first one. Undefined: it sent none. */
export const statusIn = (sent: Buffer): Status | undefined => statusesIn(sent)[0];
