import * as z from 'zod/mini';

/** Cannot be guessed: whoever has it may see the title, the description and the times. */
export const scheduledStreamId = z.string().check(z.regex(/^[\w-]{22}$/, 'must be 22 letters, digits, _ or -'));

/** A scheduled stream without an end is over twelve hours after its start. */
export const HOURS_WITHOUT_END = 12;

/**
 * `live`: the stream is live, from an hour before the start. `over`: the end has passed. A broadcast that began before
 * the end may go on after it.
 */
export const scheduledState = z.enum(['scheduled', 'live', 'over']);

export type ScheduledState = z.infer<typeof scheduledState>;

/** What both answers have, that of the account and the open one. Times are ISO 8601, UTC. */
export const announcedFields = {
  streamName: z.string(),
  title: z.string(),
  /** May have line breaks. Null: none. */
  description: z.nullable(z.string()),
  startsOn: z.string(),
  /** Null: not known. */
  endsOn: z.nullable(z.string()),
  /** A `scheduledState`. A later server may send other values. */
  state: z.string(),
};

/** What everybody who has the id may know. */
export const announcedStream = z.looseObject({
  accountId: z.string(),
  ...announcedFields,
  /** Whether viewers need a token. `state` then says nothing of whether the stream is live. Absent: an earlier server. */
  requiresToken: z.optional(z.boolean()),
  /** The time of the server: the clock of a visitor may be wrong. */
  now: z.string(),
});

export type AnnouncedStream = z.infer<typeof announcedStream>;

/** Answer of `GET /api/scheduled_stream/{id}`. */
export const announcedStreamAnswer = z.object({ status: z.literal('success'), data: announcedStream });

/** The page of a scheduled stream. */
export function scheduledPath(id: string): string {
  return `/scheduled/${encodeURIComponent(id)}`;
}
