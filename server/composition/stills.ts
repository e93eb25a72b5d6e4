import { ExpiringMap } from '../expiring-map.js';
import { ApiError } from '../errors.js';
import { FairLimit } from '../fair-limit.js';
import type { StillReader } from '../http/stills/still-reader.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { SourceId } from '../media/engine/media-track.js';
import { stillOf, type Still } from '../media/still/still.js';
import { sessionApiError } from '../sessions/session-error.js';
import { namesOf, type StreamId } from '../streams/stream-id.js';

/**
 * How long a still is served again, and also that there is none. A new one may cost all viewers of the encoding a
 * keyframe. It is up to two seconds old already, so that nobody sees one of more than five.
 */
export const STILL_LIFE_MS = 3_000;
/** For callers who accept an older one. */
export const LONGEST_LIFE_MS = 10_000;
/** The processes that make JPEG at once, and those for streams of one account. */
const JPEGS = { atOnce: 4, ofOne: 2 };
/** Of about 30 kB each. */
const MOST_STILLS = 500;

export interface StillsOptions {
  readonly engine: Pick<MediaEngine, 'keyframe'>;
  /** Milliseconds of any clock that does not go back. */
  readonly now: () => number;
  /** Absent: this machine cannot make JPEG. @throws {Error} if it fails */
  readonly jpegOf?: ((still: Still) => Promise<Buffer>) | undefined;
}

/** A still, and the JPEG of it once somebody asked for that. */
interface KnownStill extends Still {
  jpeg?: Promise<Buffer>;
}

interface Known {
  readonly still: KnownStill | undefined;
  readonly since: number;
}

/** Pictures of live streams. They are kept in memory for a few seconds. */
export class Stills implements StillReader {
  readonly #engine: StillsOptions['engine'];
  readonly #jpegOf: StillsOptions['jpegOf'];
  readonly #now: StillsOptions['now'];
  readonly #known: ExpiringMap<Known>;
  readonly #jpegs = new FairLimit(JPEGS);
  readonly #asked = new Map<string, Promise<KnownStill | undefined>>();

  constructor({ engine, now, jpegOf }: StillsOptions) {
    this.#engine = engine;
    this.#jpegOf = jpegOf;
    this.#now = now;
    this.#known = new ExpiringMap({ capacity: MOST_STILLS, lifeMs: LONGEST_LIFE_MS, now });
  }

  /**
   * Callers at the same time get the same.
   * @param maxAgeMs of one that another caller asked for, up to `LONGEST_LIFE_MS`
   * @returns undefined: the source is not live, sends no video, or sent no keyframe
   * @throws {ApiError} `engine_unavailable`
   */
  async get(streamId: StreamId, sourceId: SourceId, maxAgeMs?: number): Promise<Still | undefined> {
    return await this.#get(streamId, sourceId, maxAgeMs);
  }

  /**
   * The same picture as JPEG.
   * @throws {ApiError} `engine_unavailable`, `jpeg_unavailable`
   */
  async getJpeg(streamId: StreamId, sourceId: SourceId, maxAgeMs?: number): Promise<Buffer | undefined> {
    const jpegOf = this.#jpegOf;
    if (!jpegOf) throw jpegUnavailable('This server cannot make JPEG: install ffmpeg, or set FFMPEG_PATH');
    const still = await this.#get(streamId, sourceId, maxAgeMs);
    if (!still) return undefined;
    still.jpeg ??= this.#jpegs
      .run(namesOf(streamId).accountId, () => jpegOf(still))
      .catch((cause: unknown) => {
        throw jpegUnavailable('No JPEG could be made of this picture; ask for it without "format"', { cause });
      });
    return await still.jpeg;
  }

  async #get(streamId: StreamId, sourceId: SourceId, maxAgeMs = STILL_LIFE_MS): Promise<KnownStill | undefined> {
    const key = JSON.stringify([streamId, sourceId]);
    const known = this.#known.get(key);
    if (known && this.#now() - known.since < (known.still ? maxAgeMs : STILL_LIFE_MS)) return known.still;
    const asked = this.#asked.get(key) ?? this.#ask(key, streamId, sourceId);
    this.#asked.set(key, asked);
    return await asked;
  }

  async #ask(key: string, streamId: StreamId, sourceId: SourceId): Promise<KnownStill | undefined> {
    try {
      const keyframe = await this.#engine.keyframe(streamId, sourceId).catch((error: unknown) => {
        throw sessionApiError(error);
      });
      const still = keyframe && (await stillOf(keyframe));
      this.#known.set(key, { still, since: this.#now() });
      return still;
    } finally {
      this.#asked.delete(key);
    }
  }
}

const jpegUnavailable = (message: string, options?: ErrorOptions): ApiError =>
  new ApiError(501, 'jpeg_unavailable', message, options);
