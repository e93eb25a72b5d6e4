import { MAX_SCHEDULED_DAYS } from '../../../src/wire/management/schedule.js';
import { HOURS_WITHOUT_END, type ScheduledState } from '../../../src/wire/scheduled-stream.js';

const HOUR_MS = 3_600_000;
/** Without an end, it is over after so long. */
export const LENGTH_WITHOUT_END_MS = HOURS_WITHOUT_END * HOUR_MS;
/** A broadcast before that is another one, or a test: the names of streams are used again. */
const EARLY_MS = HOUR_MS;
const LONGEST_MS = MAX_SCHEDULED_DAYS * 24 * HOUR_MS;

/** What people decide about a scheduled stream. Times are milliseconds since 1970. */
export interface ScheduledFields {
  readonly streamName: string;
  readonly title: string;
  /** Null: none. */
  readonly description: string | null;
  readonly startsOn: number;
  /** Null: not known. */
  readonly endsOn: number | null;
}

/** A stream that is announced before it begins. */
export interface ScheduledStream extends ScheduledFields {
  /** Cannot be guessed. */
  readonly id: string;
  readonly accountId: string;
  readonly createdOn: number;
  readonly updatedOn: number;
  /** Counts the changes, from 0. */
  readonly revision: number;
  /** What is stored of it cannot be read. It is not announced, and its owner can only remove it. */
  readonly unreadable?: true;
}

/** When it is over, unless a broadcast that began before goes on. */
export function overOn({ startsOn, endsOn }: Pick<ScheduledFields, 'startsOn' | 'endsOn'>): number {
  return endsOn ?? startsOn + LENGTH_WITHOUT_END_MS;
}

/** @param liveSince when the stream became live. Undefined: it is not live. */
export function scheduledStateOf(
  times: Pick<ScheduledFields, 'startsOn' | 'endsOn'>,
  { now, liveSince }: { readonly now: number; readonly liveSince: number | undefined },
): ScheduledState {
  const over = overOn(times);
  if (liveSince !== undefined && now >= times.startsOn - EARLY_MS && liveSince < over) return 'live';
  return now >= over ? 'over' : 'scheduled';
}

/** What is wrong with the end. Undefined: nothing. */
export function endFault({ startsOn, endsOn }: Pick<ScheduledFields, 'startsOn' | 'endsOn'>): string | undefined {
  if (endsOn === null) return undefined;
  if (endsOn <= startsOn) return 'must be after startsOn';
  return endsOn - startsOn > LONGEST_MS ? `must be at most ${MAX_SCHEDULED_DAYS} days after startsOn` : undefined;
}
