import * as z from 'zod/mini';
import { streamName } from '../text.js';
import { paging } from './paging.js';
import { tokenId } from './token.js';

export const sessionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'));

/** The last session of a page: the time at which it opened, and its id. */
export const sessionCursor = z
  .string()
  .check(z.regex(/^\d{1,16}-[0-9a-f]{32}$/, 'must be the value of next in the previous page'));

/** Why a session ended on the side of the client. The other codes are those of a stop and of a refusal by a rule. */
export const clientEndCode = z.enum([
  /** The client ended the session. */
  'left',
  /** The connection to the client broke. */
  'lost',
  /** The client was lost and did not resume in time. */
  'not_resumed',
  /** The media could not be connected. */
  'not_connected',
  /** An encoder over RTMP sent what cannot be published, and was told what to change. */
  'b_frames',
  'codec_unsupported',
  'nothing_to_publish',
]);

/** Why a session ended whose server stopped without writing its end. */
export const SERVER_LOST = 'server_lost';

export type ClientEndCode = z.infer<typeof clientEndCode>;

/** ISO 8601 with a time zone. */
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-20T13:00:00Z' });

/** The code of `reason`, such as `left`. Later servers have further ones. */
const endCode = z.string().check(z.regex(/^[a-z_]{1,64}$/, 'must be a code such as left'));

export const streamSessionsPath = z.strictObject({ streamName });
export const streamSessionPath = z.strictObject({ streamName, id: sessionId });

export const sessionState = z.enum(['open', 'ended']);

export type SessionState = z.infer<typeof sessionState>;

/** The query of `GET /api/streams/{streamName}/sessions`. */
export const sessionListQuery = z.strictObject({
  /** Only sessions that opened at this time or later. */
  from: z.optional(time),
  /** Only sessions that opened before this time. */
  to: z.optional(time),
  tokenId: z.optional(tokenId),
  reason: z.optional(endCode),
  /** Only sessions that are open, or that have ended. */
  state: z.optional(sessionState),
  cursor: z.optional(sessionCursor),
  itemsOnPage: paging.itemsOnPage,
});

export type SessionListQuery = z.infer<typeof sessionListQuery>;

const times = {
  /** ISO 8601, UTC. */
  openedOn: z.string(),
  /** When the media engine connected the media. Null: not yet, or never. */
  connectedOn: z.nullable(z.string()),
  /** When media of the live stream first reached the viewer, or came from the publisher. Null: not yet. */
  firstMediaOn: z.nullable(z.string()),
  /** When the server last saw the session open. */
  lastSeenOn: z.string(),
  /** Null: the session is open. */
  endedOn: z.nullable(z.string()),
};

/** Coarse on purpose: it identifies nobody. */
export const deviceClass = z.enum(['phone', 'tablet', 'tv', 'desktop', 'unknown']);

export type DeviceClass = z.infer<typeof deviceClass>;

/** What the tag of a viewer reported, or the RTCP of a WHEP player, in the session and in those that resumed it. */
export const sessionQuality = z.looseObject({
  /** A `deviceClass`. A later server may send other values. */
  device: z.string(),
  /** From the start of the viewer to the first picture. Null: not known, or the viewer waited for the stream. */
  firstPictureSeconds: z.nullable(z.number()),
  /** How long the media was played. Null: not known. */
  playedSeconds: z.nullable(z.number()),
  /** Null: not known, as of browsers that count no freezes. */
  freezes: z.nullable(z.int()),
  frozenSeconds: z.nullable(z.number()),
  /** Of the picture in the newest report, in pixels. Null: not known. */
  height: z.nullable(z.int()),
  framesPerSecond: z.nullable(z.int()),
  roundTripSeconds: z.nullable(z.number()),
  /** Lost packets as a part of all, 0 to 1. Null: none arrived. */
  loss: z.nullable(z.number()),
});

export type SessionQuality = z.infer<typeof sessionQuality>;

/** What a viewer is being sent. Bitrates in bit/s. */
export const sessionDelivery = z.looseObject({
  /** Of audio and video, as measured in the last second. */
  bitrate: z.number(),
  /** What the network of the viewer carries. Null: not known. */
  availableBitrate: z.nullable(z.number()),
  /** The encoding of the main video, as in `GET /api/live`. Null: no video is sent. */
  encoding: z.nullable(z.string()),
  /** The highest layers of it that are sent. Null: it has no such layers. */
  spatialLayer: z.nullable(z.int()),
  temporalLayer: z.nullable(z.int()),
  /** In pixels; 0 if unknown. */
  width: z.int(),
  height: z.int(),
  /** Packets that could not be sent to the viewer, since the session began. */
  failedSends: z.int(),
});

export type SessionDelivery = z.infer<typeof sessionDelivery>;

const sessionFields = {
  id: z.string(),
  streamName: z.string(),
  /** `publisher` or `viewer`. */
  role: z.string(),
  /** `websocket`, `whip`, `whep` or `rtmp`. */
  protocol: z.string(),
  /** Null: a viewer without a token. */
  tokenId: z.nullable(z.int()),
  /** The label of the token, as it is now. Null: it has none, or the token does not exist any more. */
  tokenLabel: z.optional(z.nullable(z.string())),
  /** An IPv4 address, or the network of an IPv6 address with a prefix of 64 bits. Null: unknown. */
  address: z.nullable(z.string()),
  /** Of the address, as an ISO 3166-1 code such as `DE`. Null: not known, or the server has no database of countries. */
  country: z.nullable(z.string()),
  /** The origin of the page. Null: the client sent none. */
  origin: z.nullable(z.string()),
  ...times,
  /** The code of the end reason. Null: the session is open. */
  reason: z.nullable(z.string()),
  /** How long media of the live stream could reach the viewer. Null: a publisher. */
  watchedSeconds: z.nullable(z.number()),
  /** How long the stream was live while the publisher was connected. Null: a viewer. */
  broadcastSeconds: z.nullable(z.number()),
  /** How often the client resumed the session. */
  reconnects: z.int(),
  /** Null: nothing was reported. */
  quality: z.nullable(sessionQuality),
  /** Null: it is no open session of a viewer on this server, or its media is not connected. */
  delivery: z.nullable(sessionDelivery),
};

/** One session, with all sessions that resumed it. */
export const sessionBody = z.looseObject(sessionFields);

export type SessionBody = z.infer<typeof sessionBody>;

export const sessionEventName = z.enum([
  'opened',
  'media_connected',
  /** Media can reach the viewer, or no longer. */
  'reachable',
  'unreachable',
  'stream_live',
  'stream_ended',
  /** The client continues with a new connection. */
  'resumed',
  /** The viewer reported their first picture, or that it froze since their last report. */
  'first_picture',
  'picture_froze',
  /** The server had too much to do for what the broadcaster sent, and sent viewers less; or no longer. */
  'server_overloaded',
  'server_relieved',
  'ended',
]);

export type SessionEventName = z.infer<typeof sessionEventName>;

export const sessionEventBody = z.looseObject({
  /** ISO 8601, UTC. */
  time: z.string(),
  /** A `sessionEventName`. A later server may send other values. */
  name: z.string(),
});

/** One session with its timeline. */
export const sessionDetailBody = z.looseObject({
  ...sessionFields,
  /** In order of time. */
  events: z.array(sessionEventBody),
  /** The number of events that are left out between the first 20 and the last 40. */
  eventsLeftOut: z.int(),
});

export type SessionDetailBody = z.infer<typeof sessionDetailBody>;

/** Answer of `GET /api/streams/{streamName}/sessions`, the newest session first. */
export const sessionList = z.object({
  status: z.literal('success'),
  data: z.array(sessionBody),
  /** The `cursor` of the next page. Null: this is the last page. */
  next: z.nullable(z.string()),
});

/** Answer of `POST /api/streams/{streamName}/sessions/{id}/stop`. */
export const sessionStopped = z.object({
  status: z.literal('success'),
  /** False: the session had ended already. */
  data: z.object({ stopped: z.boolean() }),
});

export const sessionDetail = z.object({ status: z.literal('success'), data: sessionDetailBody });
