import * as z from 'zod/mini';
import { ruleRefusalCode } from './director/refusal-code.js';

/** What an account can have sent to its webhooks. These names are stable. */
export const webhookEventType = z.enum([
  'stream.started',
  'stream.ended',
  'stream.first_viewer',
  'stream.no_viewers',
  'recording.ready',
  'token.first_used',
  'token.expiring',
  'session.refused',
  'node.lost',
  'node.returned',
]);

export type WebhookEventType = z.infer<typeof webhookEventType>;

/** Sent to one webhook, when somebody asks for it. */
export const TEST_EVENT = 'webhook.test';

/** `streamId` is `account/name`. */
const stream = { streamName: z.string(), streamId: z.string() };
const tokenKind = z.enum(['publish', 'subscribe']);
/** ISO 8601, UTC. */
const time = z.string();
/** A server that others on its database missed. */
const node = {
  /** Of one run of the server. */
  nodeId: z.string(),
  /** At which clients reach it. Null: not known. */
  url: z.nullable(z.string()),
  /** When it last showed that it lives. */
  lastSeenOn: time,
};

/** Refused requests of the same kind, for the same reason, with the same token and for the same stream. */
const refusalGroup = z.looseObject({
  kind: tokenKind,
  /** Each has a page in docs/errors. A later server may send other values. */
  reason: z.union([ruleRefusalCode, z.string()]),
  /** Null: no token, or an unknown one. */
  tokenId: z.nullable(z.int()),
  streamName: z.string(),
  refusals: z.int(),
});

export type WebhookRefusalGroup = z.infer<typeof refusalGroup>;

/** The `data` of each event, in version 1. */
const dataOf = {
  'stream.started': z.looseObject({ ...stream, startedOn: time }),
  'stream.ended': z.looseObject({ ...stream, startedOn: time, endedOn: time }),
  'stream.first_viewer': z.looseObject(stream),
  'stream.no_viewers': z.looseObject(stream),
  'recording.ready': z.looseObject({
    ...stream,
    recordingId: z.string(),
    kind: z.enum(['broadcast', 'clip']),
    /** Null: the main source. */
    sourceId: z.nullable(z.string()),
    startedOn: time,
    durationMs: z.number(),
    bytes: z.number(),
    container: z.nullable(z.enum(['mp4', 'webm'])),
  }),
  'token.first_used': z.looseObject({ ...stream, tokenId: z.int(), kind: tokenKind, label: z.string() }),
  'token.expiring': z.looseObject({ tokenId: z.int(), kind: tokenKind, label: z.string(), expiresOn: time }),
  'session.refused': z.looseObject({
    /** Of the first and the last refusal. */
    from: time,
    to: time,
    refusals: z.int(),
    /** The largest first. */
    groups: z.array(refusalGroup),
    /** The refusals that belong to no group of the list. */
    notListed: z.int(),
  }),
  'node.lost': z.looseObject({
    ...node,
    /** The streams of the account that were live there. Ordered by name. */
    streams: z.array(z.looseObject(stream)),
    /** More of these streams than the list has. */
    notListed: z.int(),
  }),
  'node.returned': z.looseObject(node),
  [TEST_EVENT]: z.looseObject({ webhookId: z.int() }),
} as const;

type DataSchemas = typeof dataOf;

const eventOf = <Type extends keyof DataSchemas>(type: Type) =>
  z.looseObject({
    type: z.literal(type),
    /** Of `data`. Grows when a field changes its meaning or is removed; new fields may appear at any time. */
    version: z.int(),
    /** When it happened. */
    timestamp: time,
    accountId: z.string(),
    data: dataOf[type],
  });

/** The body of a call to a webhook. */
export const webhookEvent = z.discriminatedUnion('type', [
  eventOf('stream.started'),
  eventOf('stream.ended'),
  eventOf('stream.first_viewer'),
  eventOf('stream.no_viewers'),
  eventOf('recording.ready'),
  eventOf('token.first_used'),
  eventOf('token.expiring'),
  eventOf('session.refused'),
  eventOf('node.lost'),
  eventOf('node.returned'),
  eventOf(TEST_EVENT),
]);

export type WebhookEvent = z.infer<typeof webhookEvent>;

/** Type and data of an event. */
export type WebhookEventFields = {
  [Type in keyof DataSchemas]: { readonly type: Type; readonly data: z.infer<DataSchemas[Type]> };
}[keyof DataSchemas];
