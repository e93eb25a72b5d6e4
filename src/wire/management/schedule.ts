import * as z from 'zod/mini';
import { multilineText, name, streamName } from '../text.js';
import { announcedFields } from '../scheduled-stream.js';
import { pageAnswer, paging } from './paging.js';

/** The most scheduled streams of an account, past ones included. */
export const MAX_SCHEDULED_STREAMS = 1_000;
/** The longest scheduled stream. */
export const MAX_SCHEDULED_DAYS = 7;

/** ISO 8601 with a time zone. */
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-20T13:00:00Z' });
const title = name(128);
const description = z.nullable(multilineText.check(z.minLength(1), z.maxLength(1_000)));

/** `endsOn` is after `startsOn`, by at most seven days. */
export const createScheduledStream = z.strictObject({
  streamName,
  title,
  description: z.optional(description),
  startsOn: time,
  endsOn: z.optional(z.nullable(time)),
});

/** Absent fields stay as they are; null removes. */
export const updateScheduledStream = z
  .strictObject({
    streamName: z.optional(streamName),
    title: z.optional(title),
    description: z.optional(description),
    startsOn: z.optional(time),
    endsOn: z.optional(z.nullable(time)),
  })
  .check(z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'));

export type CreateScheduledStream = z.infer<typeof createScheduledStream>;
export type UpdateScheduledStream = z.infer<typeof updateScheduledStream>;

/** The query of `GET /api/schedule`. */
export const scheduleQuery = z.strictObject({
  ...paging,
  /** Only those that are over, or only the others. Absent: all. */
  past: z.optional(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })),
});

export type ScheduleQuery = z.infer<typeof scheduleQuery>;

/** A scheduled stream in an answer. Times are ISO 8601, UTC. */
export const scheduledStreamBody = z.looseObject({
  id: z.string(),
  ...announcedFields,
  /** Of the page that announces the stream and becomes its player, on this server. */
  path: z.string(),
  createdOn: z.string(),
  updatedOn: z.string(),
  /** What is stored cannot be read: `stored_row_unreadable`. It is not announced, and can only be removed. */
  fault: z.optional(z.looseObject({ code: z.string(), message: z.string() })),
});

export type ScheduledStreamBody = z.infer<typeof scheduledStreamBody>;

/** Answer of `GET /api/schedule`: what is to come, the next one first, then what is over, the last one first. */
export const scheduledStreamList = z.object({
  status: z.literal('success'),
  data: z.array(scheduledStreamBody),
  ...pageAnswer,
});
