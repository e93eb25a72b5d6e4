/** The header of an audio or video message is that of an FLV tag, with the additions of Enhanced RTMP (v1 and v2). */
export type FlvTag =
  | {
      readonly codec: string;
      readonly packet: 'config' | 'frame' | 'end';
      /** Video: by the encoder. Audio: always true. */
      readonly isKeyframe: boolean;
      /** In ms, added to the timestamp when the frame is shown. */
      readonly compositionTime: number;
      readonly body: Buffer;
    }
  /** Nothing to decode: a command, video metadata, or a second track. */
  | 'ignored'
  | 'invalid';

/** Legacy codec ids, as FourCC where Enhanced RTMP has one. */
const VIDEO_CODECS: Readonly<Record<number, string>> = { 2: 'H.263', 4: 'VP6', 5: 'VP6', 7: 'avc1', 12: 'hvc1' };
const AUDIO_CODECS: Readonly<Record<number, string>> = { 2: '.mp3', 7: 'G.711', 8: 'G.711', 10: 'mp4a', 11: 'Speex' };
const EXTENDED_AUDIO = 9;
const KEYFRAME = 1;
const COMMAND = 5;

/** `VideoPacketType` and `AudioPacketType` have the same numbers. Others bring no media. */
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const SEQUENCE_END = 2;
const CODED_FRAMES_X = 3;
const MULTITRACK = 6;
const AUDIO_MULTITRACK = 5;
const MOD_EX = 7;
const LEGACY_PACKETS = ['config', 'frame', 'end'] as const;

/** `AvMultitrackType`. */
const ONE_TRACK = 0;
const MANY_TRACKS_MANY_CODECS = 2;
/** Of one message. Encoders send up to five. */
const MAX_TRACKS = 16;

export function readVideoTag(payload: Buffer): FlvTag {
  const first = payload[0];
  if (first === undefined) return 'ignored';
  const frameType = (first >> 4) & 0x07;
  const isKeyframe = frameType === KEYFRAME;
  if (first & 0x80)
    return extendedTag(payload, { isKeyframe, isCommand: frameType === COMMAND, multitrack: MULTITRACK });
  if (frameType === COMMAND) return 'ignored';
  const codec = VIDEO_CODECS[first & 0x0f] ?? '';
  const packet = LEGACY_PACKETS[payload[1] ?? -1];
  if (payload.length < 5 || !packet) return codec === 'avc1' ? 'invalid' : ofOtherCodec(codec);
  return { codec, packet, isKeyframe, compositionTime: payload.readIntBE(2, 3), body: payload.subarray(5) };
}

export function readAudioTag(payload: Buffer): FlvTag {
  const first = payload[0];
  if (first === undefined) return 'ignored';
  const format = first >> 4;
  if (format === EXTENDED_AUDIO) {
    return extendedTag(payload, { isKeyframe: true, isCommand: false, multitrack: AUDIO_MULTITRACK });
  }
  const codec = AUDIO_CODECS[format] ?? '';
  const packet = LEGACY_PACKETS[payload[1] ?? -1];
  if (!packet) return codec === 'mp4a' ? 'invalid' : ofOtherCodec(codec);
  return { codec, packet, isKeyframe: true, compositionTime: 0, body: payload.subarray(2) };
}

/** Codecs that nobody reads have other headers. */
function ofOtherCodec(codec: string): FlvTag {
  return { codec, packet: 'frame', isKeyframe: false, compositionTime: 0, body: Buffer.alloc(0) };
}

interface ExtendedTag {
  readonly isKeyframe: boolean;
  readonly isCommand: boolean;
  /** The packet type of several tracks. */
  readonly multitrack: number;
}

function extendedTag(payload: Buffer, { isKeyframe, isCommand, multitrack }: ExtendedTag): FlvTag {
  let packetType = payload[0]! & 0x0f;
  let at = 1;
  // Modifiers, such as nanoseconds of the timestamp, are skipped.
  while (packetType === MOD_EX) {
    const size = byteAt(payload, at) + 1;
    at += size === 256 ? 3 + uint(payload, at + 1, 2) + 1 : 1 + size;
    packetType = byteAt(payload, at++) & 0x0f;
  }
  if (isCommand) return 'ignored';
  if (packetType !== multitrack)
    return packetOf(packetType, fourCcAt(payload, at), payload.subarray(at + 4), isKeyframe);

  const type = byteAt(payload, at) >> 4;
  packetType = byteAt(payload, at++) & 0x0f;
  const common = type === MANY_TRACKS_MANY_CODECS ? undefined : fourCcAt(payload, at);
  if (common !== undefined) at += 4;
  for (let tracks = 0; tracks < MAX_TRACKS && at < payload.length; tracks++) {
    const codec = common ?? fourCcAt(payload, at);
    if (common === undefined) at += 4;
    const trackId = byteAt(payload, at++);
    const size = type === ONE_TRACK ? payload.length - at : uint(payload, at, 3);
    if (type !== ONE_TRACK) at += 3;
    // Track 0 is the default, and only that is forwarded.
    if (trackId === 0) return packetOf(packetType, codec, payload.subarray(at, at + size), isKeyframe);
    at += size;
  }
  return 'ignored';
}

function packetOf(packetType: number, codec: string, body: Buffer, isKeyframe: boolean): FlvTag {
  if (codec.length < 4) return 'invalid';
  const tag = { codec, isKeyframe, compositionTime: 0, body };
  switch (packetType) {
    case SEQUENCE_START:
      return { ...tag, packet: 'config' };
    case SEQUENCE_END:
      return { ...tag, packet: 'end' };
    case CODED_FRAMES_X:
      return { ...tag, packet: 'frame' };
    case CODED_FRAMES:
      if (codec !== 'avc1') return { ...tag, packet: 'frame' };
      if (body.length < 3) return 'invalid';
      return { ...tag, packet: 'frame', compositionTime: body.readIntBE(0, 3), body: body.subarray(3) };
    default:
      return 'ignored';
  }
}

const fourCcAt = (payload: Buffer, at: number): string => payload.toString('latin1', at, at + 4);

/** Bytes after the end are 0. */
const byteAt = (payload: Buffer, at: number): number => payload[at] ?? 0;

const uint = (payload: Buffer, at: number, length: number): number =>
  at + length <= payload.length ? payload.readUIntBE(at, length) : 0;
