/** The message types that are used (RTMP 1.0 sections 5.4 and 7.1). Others are ignored. */
export const MESSAGE_TYPE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  amf3Data: 15,
  amf3Command: 17,
  amf0Data: 18,
  amf0Command: 20,
  aggregate: 22,
} as const;

export interface RtmpMessage {
  readonly typeId: number;
  /** The message stream: 0 for the connection, else what createStream answered. */
  readonly streamId: number;
  /** In ms, modulo 2^32. */
  readonly timestamp: number;
  readonly payload: Buffer;
}

/** A message with media: the body of an FLV tag. */
export interface MediaMessage {
  readonly kind: 'audio' | 'video' | 'data';
  /** In ms, modulo 2^32. */
  readonly timestamp: number;
  /** Can be a view of received bytes. */
  readonly payload: Buffer;
}

/** A keyframe of a 4K stream at 60 Mbit/s has about 2 MB. */
export const MAX_VIDEO_BYTES = 4 * 1024 * 1024;
/** An AAC frame has at most 6 kB for eight channels, and an Opus packet 61 kB in theory. */
const MAX_AUDIO_BYTES = 64 * 1024;
/** Metadata usually has 500 bytes. That of a file can list its keyframes. */
const MAX_DATA_BYTES = 64 * 1024;
/** Only tcUrl and the stream key can be long, because they can contain a signed token of some kB. */
const MAX_COMMAND_BYTES = 16 * 1024;
/** The longest control message has 10 bytes. */
const MAX_CONTROL_BYTES = 64;

/** How long a message of this type may be, in bytes. */
export function maxLengthOf(typeId: number): number {
  switch (typeId) {
    case MESSAGE_TYPE.video:
    case MESSAGE_TYPE.aggregate:
      return MAX_VIDEO_BYTES;
    case MESSAGE_TYPE.audio:
      return MAX_AUDIO_BYTES;
    case MESSAGE_TYPE.amf0Command:
    case MESSAGE_TYPE.amf3Command:
      return MAX_COMMAND_BYTES;
    default:
      return typeId <= MESSAGE_TYPE.setPeerBandwidth ? MAX_CONTROL_BYTES : MAX_DATA_BYTES;
  }
}
