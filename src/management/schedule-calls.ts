import * as z from 'zod/mini';
import {
  scheduledStreamBody,
  scheduledStreamList,
  type CreateScheduledStream,
  type ScheduledStreamBody,
  type UpdateScheduledStream,
} from '../wire/management/schedule.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/schedule';
const streamAnswer = z.object({ status: z.literal('success'), data: scheduledStreamBody });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

export interface ScheduleListOptions {
  /** Only those that are over, or only the others. Absent: all. */
  readonly past?: boolean | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface SchedulePage {
  readonly streams: readonly ScheduledStreamBody[];
  /** Number of scheduled streams on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

/** The calls for scheduled streams, each with a page that becomes the player. Each throws {@link ManagementError}. */
export class ScheduleCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** What is to come, the next one first, then what is over, the last one first. */
  async list(options: ScheduleListOptions = {}): Promise<SchedulePage> {
    const request = { method: 'GET', path: PATH, query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(scheduledStreamList, request);
    return { streams: data, total, page, itemsOnPage };
  }

  /** The same as CSV: all pages as one table, with a header row. */
  async csv(options: ScheduleListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: PATH, query: { ...options } });
  }

  /**
   * Schedules a stream. Times are ISO 8601 with a time zone.
   * @throws {ManagementError} `schedule_full`: the account has 1,000
   */
  async create(fields: CreateScheduledStream): Promise<ScheduledStreamBody> {
    return (await this.#connection.call(streamAnswer, { method: 'POST', path: PATH, body: fields })).data;
  }

  /** @throws {ManagementError} `scheduled_stream_not_found` */
  async get(id: string): Promise<ScheduledStreamBody> {
    return (await this.#connection.call(streamAnswer, { method: 'GET', path: pathOf(id) })).data;
  }

  /** Changes the given fields; null removes. @throws {ManagementError} `scheduled_stream_not_found` */
  async update(id: string, change: UpdateScheduledStream): Promise<ScheduledStreamBody> {
    return (await this.#connection.call(streamAnswer, { method: 'PUT', path: pathOf(id), body: change })).data;
  }

  /** Removes a scheduled stream, and its page. @throws {ManagementError} `scheduled_stream_not_found` */
  async remove(id: string): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: pathOf(id) });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
