import type { ScheduledStream } from '../../server/accounts/schedule/scheduled-stream.js';
import { NotFoundError } from '../../server/errors.js';

/** The start of the scheduled stream of the builder. */
export const START = Date.parse('2026-12-05T19:00:00Z');

/** An id of 22 characters that ends with this number. */
export const scheduledIdOf = (number: number): string => `s${String(number).padStart(21, '0')}`;

export function aScheduledStream(fields: Partial<ScheduledStream> = {}): ScheduledStream {
  return {
    id: scheduledIdOf(1),
    accountId: 'acme',
    streamName: 'main',
    title: 'Keynote',
    description: null,
    startsOn: START,
    endsOn: null,
    createdOn: START - 86_400_000,
    updatedOn: START - 86_400_000,
    revision: 0,
    ...fields,
  };
}

/** As of a server without scheduled streams. */
export async function unknownStream(id: string): Promise<never> {
  throw new NotFoundError('scheduled_stream_not_found', `No scheduled stream with id: ${id}`);
}
