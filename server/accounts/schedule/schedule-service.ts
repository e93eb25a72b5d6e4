import { randomBytes } from 'node:crypto';
import {
  MAX_SCHEDULED_STREAMS,
  type CreateScheduledStream,
  type ScheduleQuery,
  type UpdateScheduledStream,
} from '../../../src/wire/management/schedule.js';
import { scheduledStreamId } from '../../../src/wire/scheduled-stream.js';
import { ConflictError, InvalidRequestError, NotFoundError } from '../../errors.js';
import { ExpiringMap } from '../../expiring-map.js';
import { OpenLookUps } from '../open-look-ups.js';
import { endFault, type ScheduledFields, type ScheduledStream } from './scheduled-stream.js';
import type { SchedulePage, ScheduleStore } from './schedule-store.js';

/** 128 bits: nobody finds one by trying. */
const ID_BYTES = 16;
/** How long the pages of other servers show what was before. */
const KNOWN_FOR_MS = 5_000;
const MOST_KNOWN = 500;

/** The streams that accounts announce before they begin. */
export class ScheduleService {
  readonly #store: ScheduleStore;
  readonly #now: () => number;
  readonly #known: ExpiringMap<Promise<ScheduledStream | undefined>>;
  readonly #lookUps = new OpenLookUps();

  constructor(store: ScheduleStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
    this.#known = new ExpiringMap({ capacity: MOST_KNOWN, lifeMs: KNOWN_FOR_MS, now });
  }

  async list(accountId: string, query: ScheduleQuery): Promise<SchedulePage> {
    return await this.#store.list(accountId, query, this.#now());
  }

  /** @throws {NotFoundError} `scheduled_stream_not_found` */
  async get(accountId: string, id: string): Promise<ScheduledStream> {
    const stream = await this.#store.find(id);
    return found(stream?.accountId === accountId ? stream : undefined, id);
  }

  /**
   * For everybody who has the id. A crowd that waits asks the store once in five seconds.
   * @throws {NotFoundError} `scheduled_stream_not_found` @throws {ApiError} 503 `busy`
   */
  async announced(id: string): Promise<ScheduledStream> {
    if (!scheduledStreamId.safeParse(id).success) throw unknown(id);
    let reading = this.#known.get(id);
    if (!reading) {
      reading = this.#lookUps.run(() => this.#store.find(id));
      this.#known.set(id, reading);
      // A failure must not be kept.
      reading.catch(() => this.#known.delete(id));
    }
    return found(await reading, id);
  }

  /**
   * The account must exist.
   * @throws {InvalidRequestError} the end does not fit the start @throws {ConflictError} `schedule_full`
   */
  async create(accountId: string, { description = null, ...given }: CreateScheduledStream): Promise<ScheduledStream> {
    const now = this.#now();
    const fields = checked({
      streamName: given.streamName,
      title: given.title,
      description,
      startsOn: Date.parse(given.startsOn),
      endsOn: timeOrNull(given.endsOn ?? null),
    });
    const id = newId();
    const stream = { ...fields, id, accountId, createdOn: now, updatedOn: now, revision: 0 };
    if ((await this.#store.add(stream)) === 'added') return stream;
    const message = `This account has ${MAX_SCHEDULED_STREAMS} scheduled streams, past ones included; remove one first`;
    throw new ConflictError('schedule_full', message);
  }

  /**
   * Changes the given fields; null removes.
   * @throws {NotFoundError} `scheduled_stream_not_found` @throws {InvalidRequestError} the end does not fit the start
   */
  async update(accountId: string, id: string, change: UpdateScheduledStream): Promise<ScheduledStream> {
    const { streamName, title, description, startsOn, endsOn } = change;
    const decide = (before: ScheduledFields): ScheduledFields =>
      checked({
        streamName: streamName ?? before.streamName,
        title: title ?? before.title,
        description: description === undefined ? before.description : description,
        startsOn: startsOn === undefined ? before.startsOn : Date.parse(startsOn),
        endsOn: endsOn === undefined ? before.endsOn : timeOrNull(endsOn),
      });
    const stream = found(await this.#store.change({ accountId, id }, decide, this.#now()), id);
    this.#known.delete(id);
    return stream;
  }

  /** @throws {NotFoundError} `scheduled_stream_not_found` */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.#store.remove(accountId, id, this.#now()))) throw unknown(id);
    this.#known.delete(id);
  }
}

/** Begins and ends with a letter or digit: a command line would read an option, and a chat would cut the link. */
function newId(): string {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString('base64url');
    if (/^[^-_].*[^-_]$/.test(id)) return id;
  }
}

function checked(fields: ScheduledFields): ScheduledFields {
  const fault = endFault(fields);
  if (fault) throw new InvalidRequestError({ endsOn: [fault] });
  return fields;
}

function timeOrNull(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function found(stream: ScheduledStream | undefined, id: string): ScheduledStream {
  if (stream) return stream;
  throw unknown(id);
}

function unknown(id: string): NotFoundError {
  return new NotFoundError('scheduled_stream_not_found', `No scheduled stream with id: ${id}`);
}
