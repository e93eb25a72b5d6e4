import { writeAmf0, type AmfValue } from './amf0.js';
import { chunksOf } from './chunk-writer.js';
import { uint16, uint32 } from './integers.js';
import { MESSAGE_TYPE, type RtmpMessage } from './rtmp-message.js';

/** The one message stream of a connection. */
export const STREAM_ID = 1;

/** After so many bytes the encoder should acknowledge, and we do. */
export const WINDOW_BYTES = 2_500_000;
/** A whole answer fits in one chunk. */
const CHUNK_SIZE = 4096;
/** The limit type of Set Peer Bandwidth (RTMP 1.0 section 5.4.5). */
const DYNAMIC = 2;
const CONTROL_STREAM = 2;
const COMMAND_STREAM = 3;

/** The events of User Control (RTMP 1.0 section 7.1.7). */
export const USER_CONTROL = { streamBegin: 0, pingRequest: 6, pingResponse: 7 } as const;

/** Enhanced RTMP: what is forwarded (`FourCcInfoMask.CanForward`), and of `CapsExMask` only that ModEx is skipped. */
const CAN_FORWARD = 4;
const MOD_EX = 4;
const VIDEO_CODECS = ['avc1', 'av01', 'vp09'];
const AUDIO_CODECS = ['mp4a', 'Opus'];

/** The statuses that refuse to publish and that encoders show: ffmpeg, GStreamer, and OBS in its log. */
const DENIED = 'NetStream.Publish.Denied';

/** What follows `connect`. Later answers have the chunk size that is set here. */
export function connectAnswer(transactionId: number): Buffer {
  const properties = object({
    fmsVer: 'FMS/3,0,1,123',
    capabilities: 31,
    fourCcList: [...VIDEO_CODECS, ...AUDIO_CODECS],
    videoFourCcInfoMap: forwarded(VIDEO_CODECS),
    audioFourCcInfoMap: forwarded(AUDIO_CODECS),
    capsEx: MOD_EX,
  });
  const information = object({
    level: 'status',
    code: 'NetConnection.Connect.Success',
    description: 'Connected',
    objectEncoding: 0,
  });
  return Buffer.concat([
    control(MESSAGE_TYPE.windowAcknowledgementSize, uint32(WINDOW_BYTES)),
    control(MESSAGE_TYPE.setPeerBandwidth, Buffer.concat([uint32(WINDOW_BYTES), Buffer.of(DYNAMIC)])),
    control(MESSAGE_TYPE.setChunkSize, uint32(CHUNK_SIZE)),
    command(0, '_result', transactionId, properties, information),
  ]);
}

export function createStreamAnswer(transactionId: number): Buffer {
  return command(0, '_result', transactionId, null, STREAM_ID);
}

/** To `releaseStream` and `FCUnpublish`, which have no meaning here. */
export function emptyAnswer(transactionId: number): Buffer {
  return command(0, '_result', transactionId, null, undefined);
}

/** Some encoders wait for it before they send `publish`. It does not accept anything. */
export function fcPublishAnswer(transactionId: number): Buffer {
  const information = object({ code: 'NetStream.Publish.Start', description: 'Continue with publish' });
  return Buffer.concat([emptyAnswer(transactionId), command(0, 'onFCPublish', 0, null, information)]);
}

/** The encoder may send media. */
export function publishStart(): Buffer {
  return Buffer.concat([
    userControl(USER_CONTROL.streamBegin, STREAM_ID),
    status('status', 'NetStream.Publish.Start', 'Live'),
  ]);
}

/**
 * Tells the encoder why it may not publish.
 * @param code our code, for programs
 * @param sentence for people; ffmpeg shows 255 bytes of it
 */
export function publishDenied(code: string, sentence: string): Buffer {
  return status('error', DENIED, sentence, { details: code });
}

/** OBS and ffmpeg do not play; other clients show this. */
export function playFailed(sentence: string): Buffer {
  return status('error', 'NetStream.Play.Failed', sentence);
}

/** To a command that the server does not know. */
export function callFailed(transactionId: number): Buffer {
  const description = 'This server does not know the command';
  const information = object({ level: 'error', code: 'NetConnection.Call.Failed', description });
  return command(0, '_error', transactionId, null, information);
}

export function acknowledgement(receivedBytes: number): Buffer {
  return control(MESSAGE_TYPE.acknowledgement, uint32(receivedBytes));
}

export function userControl(event: number, value: number): Buffer {
  return control(MESSAGE_TYPE.userControl, Buffer.concat([uint16(event), uint32(value)]));
}

/** The transaction id must be 0 and the object null: encoders skip them without reading. */
function status(
  level: 'status' | 'error',
  code: string,
  description: string,
  more: Record<string, AmfValue> = {},
): Buffer {
  return command(STREAM_ID, 'onStatus', 0, null, object({ level, code, description, ...more }));
}

function command(streamId: number, ...values: readonly AmfValue[]): Buffer {
  return written(
    { typeId: MESSAGE_TYPE.amf0Command, streamId, timestamp: 0, payload: writeAmf0(...values) },
    COMMAND_STREAM,
  );
}

function control(typeId: number, payload: Buffer): Buffer {
  return written({ typeId, streamId: 0, timestamp: 0, payload }, CONTROL_STREAM);
}

const written = (message: RtmpMessage, chunkStreamId: number): Buffer => chunksOf(message, chunkStreamId, CHUNK_SIZE);

const object = (fields: Record<string, AmfValue>): AmfValue => new Map(Object.entries(fields));

const forwarded = (codecs: readonly string[]): AmfValue =>
  object(Object.fromEntries(codecs.map((codec) => [codec, CAN_FORWARD])));
