import * as z from 'zod/mini';
import { sourceId, streamName } from '../text.js';
import { pageAnswer, paging } from './paging.js';

/**
 * `recording`: the stream is live, or its publisher may still come back. `finishing`: it is being made ready to play.
 * `failed`: nothing of it could be kept; `fault` says why.
 */
export const recordingStates = ['recording', 'finishing', 'ready', 'failed'] as const;
export type RecordingState = (typeof recordingStates)[number];

/** A part of a stream that was cut out (`clip`), or the whole broadcast. */
export const recordingKinds = ['broadcast', 'clip'] as const;

export const recordingPath = z.strictObject({ recordingId: z.string().check(z.regex(/^[\w-]{22}$/)) });

/** The query of `GET /api/recordings`. Newest first. */
export const recordingsQuery = z.strictObject({
  ...paging,
  streamName: z.optional(streamName),
  state: z.optional(z.enum(recordingStates)),
});

/** The body of `PUT /api/recordings/ID`. */
export const updateRecording = z.strictObject({
  /** When it is deleted, ISO 8601 with a time zone. Null: never. */
  expiresOn: z.nullable(z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-20T13:00:00Z' })),
});

/** The query of `GET /api/recordings/ID/media`, as a link has it. */
export const recordingMediaQuery = z.object({
  /** Seconds since 1970. */
  expires: z.string().check(z.regex(/^\d{1,12}$/)),
  download: z.optional(z.literal('1')),
  signature: z.string().check(z.regex(/^[\w-]{1,100}$/)),
});

/** The body of `POST /api/recordings/ID/link`. */
export const createRecordingLink = z.strictObject({
  /** How long the link works. Default: an hour. */
  seconds: z.optional(z.int().check(z.minimum(60), z.maximum(7 * 86_400))),
  /** Whether browsers save the file instead of playing it. Default: false. */
  download: z.optional(z.boolean()),
});

/** The body of `POST /api/recordings/ID/finish`. It may be absent. */
export const finishRecording = z.optional(
  z.strictObject({
    /** Whether the server that has the recording is lost. Default: false. */
    takeOver: z.optional(z.boolean()),
  }),
);

/** The body of `POST /api/streams/NAME/record`: records the live source from now on, or stops. */
export const recordStream = z.strictObject({ record: z.boolean(), sourceId: z.optional(z.nullable(sourceId)) });

const clipSeconds = z.int().check(z.minimum(1), z.maximum(3_600));

/** The body of `POST /api/recordings/ID/clips`: a piece of a recording that is ready. */
export const cutRecording = z.strictObject({
  /** From the beginning of the recording. */
  startSeconds: z.number().check(z.minimum(0), z.maximum(1e9)),
  seconds: clipSeconds,
});

/** The body of `POST /api/streams/NAME/clips`: the last seconds of a stream that is, or was, being recorded. */
export const createClip = z.strictObject({
  seconds: clipSeconds,
  sourceId: z.optional(z.nullable(sourceId)),
});

/** After how many days a recording is deleted. */
export const retentionDays = z.int().check(z.minimum(1), z.maximum(36_500));

/** The body of `PUT /api/account/recording`. Absent fields stay as they are; null: no limit. */
export const updateRecordingSettings = z.strictObject({
  retentionDays: z.optional(z.nullable(retentionDays)),
  quotaBytes: z.optional(z.nullable(z.int().check(z.minimum(1)))),
});

/** A recording in an answer. Times are ISO 8601, UTC. */
export const recordingBody = z.looseObject({
  id: z.string(),
  kind: z.enum(recordingKinds),
  streamName: z.string(),
  /** Null: the main source. */
  sourceId: z.nullable(z.string()),
  /** The publish token. Null: it is deleted. */
  tokenId: z.nullable(z.int()),
  state: z.enum(recordingStates),
  /** A stable code, such as `disk_full`: what was lost, or why it failed. Null: nothing is known to be lost. */
  fault: z.nullable(z.string()),
  startedOn: z.string(),
  /** Null: it is being recorded. With the state `recording`: its publisher is away, and may come back. */
  endedOn: z.nullable(z.string()),
  durationSeconds: z.number(),
  bytes: z.int(),
  /** Such as `h264`. Null: none, or not known yet; so for `audioCodec`. */
  videoCodec: z.nullable(z.string()),
  audioCodec: z.nullable(z.string()),
  /** In pixels, of the largest picture; null: no video, or not known yet. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** Of the file: `mp4` or `webm`. Null: it is not ready. */
  container: z.nullable(z.enum(['mp4', 'webm'])),
  /** Whether viewers can go back while it is live (`/api/hls`): no with VP8. */
  hasRewind: z.boolean(),
  /** When it is deleted. Null: never. */
  expiresOn: z.nullable(z.string()),
});

/** Answer of `GET /api/recordings`. */
export const recordingList = z.object({ status: z.literal('success'), data: z.array(recordingBody), ...pageAnswer });

/** Answer of `POST /api/recordings/ID/link`. */
export const recordingLinkBody = z.looseObject({
  /** On this server, from the root: opens the file without a login. */
  path: z.string(),
  expiresOn: z.string(),
});

/** Answer of `GET` and `PUT /api/account/recording`. */
export const recordingSettingsBody = z.looseObject({
  /** Whether this server records at all. */
  isAvailable: z.boolean(),
  /** Of recordings that begin from now on. Null: until they are deleted. */
  retentionDays: z.nullable(z.int()),
  /** Null: no limit. */
  quotaBytes: z.nullable(z.int()),
  usedBytes: z.int(),
  recordings: z.int(),
  /** `quota_near`: nine tenths of the quota are used. `quota_exceeded`: nothing more is recorded. */
  warning: z.optional(z.nullable(z.enum(['quota_near', 'quota_exceeded']))),
});

export type RecordingsQuery = z.infer<typeof recordingsQuery>;
export type UpdateRecording = z.infer<typeof updateRecording>;
export type CreateRecordingLink = z.infer<typeof createRecordingLink>;
export type FinishRecording = NonNullable<z.infer<typeof finishRecording>>;
export type RecordStream = z.infer<typeof recordStream>;
export type CreateClip = z.infer<typeof createClip>;
export type CutRecording = z.infer<typeof cutRecording>;
export type UpdateRecordingSettings = z.infer<typeof updateRecordingSettings>;
export type RecordingBody = z.infer<typeof recordingBody>;
export type RecordingLinkBody = z.infer<typeof recordingLinkBody>;
export type RecordingSettingsBody = z.infer<typeof recordingSettingsBody>;
