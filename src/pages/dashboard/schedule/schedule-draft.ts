import * as z from 'zod/mini';
import {
  createScheduledStream,
  MAX_SCHEDULED_DAYS,
  type CreateScheduledStream,
  type ScheduledStreamBody,
  type UpdateScheduledStream,
} from '../../../wire/management/schedule.js';
import { localTime } from '../formatting.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const draftSchema = z.object({
  title: z.string(),
  streamName: z.string(),
  /** As a `datetime-local` field has it, in the person's time zone. */
  start: z.string(),
  /** Likewise. Empty: none. */
  end: z.string(),
  description: z.string(),
});

/** What a person has entered about a scheduled stream. */
export type ScheduleDraft = z.infer<typeof draftSchema>;

export type ScheduleField = keyof ScheduleDraft;

/** The form of a scheduled stream. */
export interface ScheduleForm {
  /** The id of the scheduled stream that is edited. Undefined: a new one. */
  readonly id: string | undefined;
  /** What the form began with. */
  readonly base: ScheduleDraft;
  readonly draft: ScheduleDraft;
}

/** A new one begins tomorrow, at a full hour. */
export function newForm(now: number): ScheduleForm {
  const start = localTime(Math.ceil((now + DAY_MS) / HOUR_MS) * HOUR_MS);
  const base = { title: '', streamName: '', start, end: '', description: '' };
  return { id: undefined, base, draft: base };
}

export function formOf({ id, ...stream }: ScheduledStreamBody): ScheduleForm {
  const { title, streamName, startsOn, endsOn, description } = stream;
  const base = {
    title,
    streamName,
    start: localTime(Date.parse(startsOn)),
    end: endsOn === null ? '' : localTime(Date.parse(endsOn)),
    description: description ?? '',
  };
  return { id, base, draft: base };
}

/** What the server is asked to create. Call it for a draft without faults. */
export function creationOf({ title, streamName, start, end, description }: ScheduleDraft): CreateScheduledStream {
  return {
    title: title.trim(),
    streamName: streamName.trim(),
    startsOn: isoOf(start),
    ...(end && { endsOn: isoOf(end) }),
    ...(description.trim() && { description: description.trim() }),
  };
}

/** What the server is asked to change: only what the person has changed, so that a time keeps its seconds. */
export function changeOf({ base, draft }: ScheduleForm): UpdateScheduledStream {
  const { title, streamName, start, end, description } = draft;
  const changed = (field: ScheduleField): boolean => draft[field] !== base[field];
  return {
    ...(changed('title') && { title: title.trim() }),
    ...(changed('streamName') && { streamName: streamName.trim() }),
    ...(changed('start') && { startsOn: isoOf(start) }),
    ...(changed('end') && { endsOn: end ? isoOf(end) : null }),
    ...(changed('description') && { description: description.trim() || null }),
  };
}

/** The fields that cannot be saved. */
export function faultsOf(draft: ScheduleDraft): ReadonlySet<ScheduleField> {
  const { shape } = createScheduledStream;
  const faults = new Set<ScheduleField>();
  if (!shape.title.safeParse(draft.title.trim()).success) faults.add('title');
  if (!shape.streamName.safeParse(draft.streamName.trim()).success) faults.add('streamName');
  if (!shape.description.safeParse(draft.description.trim() || null).success) faults.add('description');
  const [start, end] = [Date.parse(draft.start), Date.parse(draft.end)];
  if (Number.isNaN(start)) faults.add('start');
  if (draft.end && !(end > start && end - start <= MAX_SCHEDULED_DAYS * DAY_MS)) faults.add('end');
  return faults;
}

const keptSchema = z.object({
  scheduled: z.object({ id: z.optional(z.string()), base: draftSchema, draft: draftSchema }),
});

/** The form as it is kept, so that another form does not take it for its own. */
export const keptSchedule = (form: ScheduleForm): object => ({ scheduled: form });

/** The form that was kept. Undefined: there is none, or it is another form. */
export function readScheduleForm(kept: unknown): ScheduleForm | undefined {
  const result = keptSchema.safeParse(kept);
  if (!result.success) return undefined;
  const { id, base, draft } = result.data.scheduled;
  return { id, base, draft };
}

const isoOf = (text: string): string => new Date(text).toISOString();
