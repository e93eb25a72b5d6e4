import type { VideoCodec } from '../../media/engine/media-track.js';
import { children, element, float, ID, idOf, readUint, text, uint, UNKNOWN_SIZE } from './ebml.js';

export interface VideoTrack {
  readonly codec: VideoCodec;
  readonly width: number;
  readonly height: number;
  /** H.264: the AVCDecoderConfigurationRecord. Others: undefined. */
  readonly codecPrivate: Buffer | undefined;
}

export interface Tracks {
  readonly video: VideoTrack | undefined;
  readonly audio: { readonly codec: 'opus' } | undefined;
}

export const TRACK_NUMBERS = { video: 1, audio: 2 } as const;

const CODEC_IDS: Readonly<Record<VideoCodec | 'opus', string>> = {
  vp8: 'V_VP8',
  vp9: 'V_VP9',
  av1: 'V_AV1',
  h264: 'V_MPEG4/ISO/AVC',
  opus: 'A_OPUS',
};
/** RFC 7845 section 5.1: two channels, no pre-skip because a live encoder is joined midway, 48,000 Hz, no gain. */
const OPUS_HEAD = Buffer.from('4f707573486561640102000080bb0000000000', 'hex');
const OPUS_PRE_ROLL_NS = 80_000_000;
const MILLISECOND_NS = 1_000_000;
const APPLICATION = 'Streamgate';
/** RFC 9559 section 5.1.4.1.3. */
const TRACK_TYPES = { video: 1, audio: 2 } as const;

/** Matroska for H.264, VP9 and AV1; its subset WebM for VP8 and for sound alone. */
export const containerOf = ({ video }: Pick<Tracks, 'video'>): 'mkv' | 'webm' =>
  video && video.codec !== 'vp8' ? 'mkv' : 'webm';

/** The EBML header, and the start of a segment that lasts to the end of the file. */
export function fileStart(docType: 'matroska' | 'webm'): Buffer {
  const header = element(
    ID.ebml,
    uint(ID.ebmlVersion, 1),
    uint(ID.ebmlReadVersion, 1),
    uint(ID.ebmlMaxIdLength, 4),
    uint(ID.ebmlMaxSizeLength, 8),
    text(ID.docType, docType),
    uint(ID.docTypeVersion, 4),
    uint(ID.docTypeReadVersion, 2),
  );
  return Buffer.concat([header, idOf(ID.segment), UNKNOWN_SIZE]);
}

/** @param durationMs absent: not known */
export function infoOf(durationMs?: number): Buffer {
  return element(
    ID.info,
    uint(ID.timestampScale, MILLISECOND_NS),
    text(ID.muxingApp, APPLICATION),
    text(ID.writingApp, APPLICATION),
    ...(durationMs === undefined ? [] : [float(ID.duration, durationMs)]),
  );
}

export function tracksOf({ video, audio }: Tracks): Buffer {
  return element(ID.tracks, ...(video ? [videoEntry(video)] : []), ...(audio ? [audioEntry()] : []));
}

/** All bytes before the first cluster of a file that is written without ever going back. */
export function headerOf(tracks: Tracks): Buffer {
  const docType = containerOf(tracks) === 'webm' ? 'webm' : 'matroska';
  return Buffer.concat([fileStart(docType), infoOf(), tracksOf(tracks)]);
}

function videoEntry({ codec, width, height, codecPrivate }: VideoTrack): Buffer {
  return entryOf(
    'video',
    codec,
    ...(codecPrivate ? [element(ID.codecPrivate, codecPrivate)] : []),
    element(ID.video, uint(ID.pixelWidth, width), uint(ID.pixelHeight, height)),
  );
}

function audioEntry(): Buffer {
  return entryOf(
    'audio',
    'opus',
    element(ID.codecPrivate, OPUS_HEAD),
    uint(ID.seekPreRoll, OPUS_PRE_ROLL_NS),
    element(ID.audio, float(ID.samplingFrequency, 48_000), uint(ID.channels, 2)),
  );
}

function entryOf(kind: 'audio' | 'video', codec: VideoCodec | 'opus', ...more: readonly Buffer[]): Buffer {
  return element(
    ID.trackEntry,
    uint(ID.trackNumber, TRACK_NUMBERS[kind]),
    uint(ID.trackUid, TRACK_NUMBERS[kind]),
    uint(ID.trackType, TRACK_TYPES[kind]),
    uint(ID.flagLacing, 0),
    text(ID.codecId, CODEC_IDS[codec]),
    ...more,
  );
}

/** @param content of the element Tracks @returns undefined: these are not tracks that we write */
export function readTracks(content: Buffer): Tracks | undefined {
  const tracks: { video: VideoTrack | undefined; audio: Tracks['audio'] } = { video: undefined, audio: undefined };
  for (const entry of children(content)) {
    if (entry.id !== ID.trackEntry) continue;
    const fields = fieldsOf(entry.data);
    const id = fields.get(ID.codecId)?.toString('latin1');
    const codec = (Object.keys(CODEC_IDS) as (VideoCodec | 'opus')[]).find((codec) => CODEC_IDS[codec] === id);
    const kind = codec === 'opus' ? 'audio' : 'video';
    if (!codec || readUint(fields.get(ID.trackNumber) ?? Buffer.of()) !== TRACK_NUMBERS[kind]) return undefined;
    if (codec === 'opus') tracks.audio = { codec };
    else tracks.video = readVideo(codec, fields);
  }
  return tracks.video || tracks.audio ? tracks : undefined;
}

function readVideo(codec: VideoCodec, fields: ReadonlyMap<number, Buffer>): VideoTrack {
  const size = fieldsOf(fields.get(ID.video) ?? Buffer.of());
  return {
    codec,
    width: readUint(size.get(ID.pixelWidth) ?? Buffer.of()),
    height: readUint(size.get(ID.pixelHeight) ?? Buffer.of()),
    codecPrivate: fields.get(ID.codecPrivate),
  };
}

function fieldsOf(content: Buffer): Map<number, Buffer> {
  return new Map([...children(content)].map(({ id, data }) => [id, data]));
}
