import * as z from 'zod/mini';
import { sourceId, streamName } from '../text.js';

export const streamStillPath = z.strictObject({ streamName });
export const streamStillQuery = z.strictObject({
  /** Absent: the main source. */
  sourceId: z.optional(sourceId),
  /** Absent: as the stream's codec allows it without decoding. */
  format: z.optional(z.enum(['jpeg'])),
});

/** One simulcast encoding of a source, as it was measured in the last second. */
export const liveEncoding = z.looseObject({
  /** `0` is the smallest encoding. */
  id: z.string(),
  /** Whether it is being received. */
  active: z.boolean(),
  /** In pixels; 0 if unknown. */
  width: z.int(),
  height: z.int(),
  /** bit/s */
  bitrate: z.number(),
});

/** How the media of a source arrives at the server. */
export const liveReception = z.looseObject({
  /** Such as `h264`. Null: the source has no video; so for `audioCodec`. */
  videoCodec: z.nullable(z.string()),
  audioCodec: z.nullable(z.string()),
  /** Packets that were lost on the way, as a part of all, 0 to 1, in the last ten seconds. Null: none arrived. */
  loss: z.nullable(z.number()),
  /** Frames of video and packets of sound that the server did not forward in the last ten seconds, because it was too busy. */
  shed: z.int(),
  /** Whether the server was too busy in the last ten seconds to send viewers all that it received. Absent: an older server. */
  overloaded: z.optional(z.boolean()),
  /** How much the time between packets varies (RFC 3550). */
  jitterSeconds: z.number(),
});

/** What the server leaves out or changes of a source; the rest goes on. */
export type SourceNotice =
  /** AAC needs ffmpeg, and the server has none. */
  | 'sound_needs_ffmpeg'
  /** The sound has a codec that cannot be published. */
  | 'sound_codec_unsupported'
  /** AAC cannot be turned into Opus: ffmpeg ends again and again. */
  | 'sound_failed'
  /** The video has B-frames, so the server encodes it again. */
  | 'picture_transcoded'
  /** The publisher sends more than the operator permits the account. If it goes on far above, it is ended. */
  | 'bitrate_above_limit';

export const liveSource = z.looseObject({
  /** Null: the main source. */
  sourceId: z.nullable(z.string()),
  /** The publish token. */
  tokenId: z.int(),
  /** The label of the token, as it is now. Null: it has none, or the token does not exist any more. */
  tokenLabel: z.optional(z.nullable(z.string())),
  /** ISO 8601, UTC. */
  liveSince: z.string(),
  /** False: the publisher was lost, and can still resume. */
  connected: z.boolean(),
  /** Whether it is being recorded now. Absent: not known. */
  recording: z.optional(z.boolean()),
  /** `audio`, `video` or both. */
  tracks: z.array(z.string()),
  /** The sum of the encodings, in bit/s. */
  videoBitrate: z.number(),
  /** Empty: no video, or none was measured yet. */
  encodings: z.array(liveEncoding),
  /** Null: not measured yet, or the publisher was lost. */
  reception: z.nullable(liveReception),
  /** See `SourceNotice`. Usually empty. Later versions can have more. */
  notices: z.array(z.string()),
});

/** How many viewers there were from `time` on, until the next point. */
export const viewerPoint = z.looseObject({ time: z.string(), viewers: z.int() });

/** A stream that is live now. */
export const liveStreamBody = z.looseObject({
  streamName: z.string(),
  /** ISO 8601, UTC. */
  liveSince: z.string(),
  /** The viewers that media reaches. */
  viewers: z.int(),
  /** One day at most, in order of time; at most one point per ten seconds. */
  viewersOverTime: z.array(viewerPoint),
  sources: z.array(liveSource),
});

export type LiveStreamBody = z.infer<typeof liveStreamBody>;

/** Answer of `GET /api/live`, by name. */
export const liveStreamList = z.object({ status: z.literal('success'), data: z.array(liveStreamBody) });
