import { ExpiringMap } from '../expiring-map.js';
import { ApiError } from '../errors.js';
import type { StillReader } from '../http/management/live-routes.js';
import type { MediaEngine, SourceId } from '../media/media-engine.js';
import { stillOf, type Still } from '../media/still/still.js';
import { sessionApiError } from '../sessions/session-error.js';

/**
 * How long a still is served again. A new one may cost all viewers of the encoding a keyframe. It is up to two seconds
 * old already, so that nobody sees one of more than five.
 */
export const STILL_LIFE_MS = 3_000;
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

/** Pictures of live streams for the management API. They are kept in memory for a few seconds. */
export class Stills implements StillReader {
  readonly #engine: StillsOptions['engine'];
  readonly #jpegOf: StillsOptions['jpegOf'];
  readonly #known: ExpiringMap<KnownStill | undefined>;
  readonly #asked = new Map<string, Promise<KnownStill | undefined>>();

  constructor({ engine, now, jpegOf }: StillsOptions) {
    this.#engine = engine;
    this.#jpegOf = jpegOf;
    this.#known = new ExpiringMap({ capacity: MOST_STILLS, lifeMs: STILL_LIFE_MS, now });
  }

  /**
   * At most `STILL_LIFE_MS` old. Callers at the same time get the same.
   * @returns undefined: the source is not live, sends no video, or sent no keyframe
   * @throws {ApiError} `engine_unavailable`
   */
  async get(streamId: string, sourceId: SourceId): Promise<Still | undefined> {
    return await this.#get(streamId, sourceId);
  }

  /**
   * The same picture as JPEG.
   * @throws {ApiError} `engine_unavailable`, `jpeg_unavailable`
   */
  async getJpeg(streamId: string, sourceId: SourceId): Promise<Buffer | undefined> {
    const jpegOf = this.#jpegOf;
    if (!jpegOf) throw jpegUnavailable('This server cannot make JPEG: install ffmpeg, or set FFMPEG_PATH');
    const still = await this.#get(streamId, sourceId);
    if (!still) return undefined;
    still.jpeg ??= jpegOf(still).catch((cause: unknown) => {
      throw jpegUnavailable('No JPEG could be made of this picture; ask for it without "format"', { cause });
    });
    return await still.jpeg;
  }

  async #get(streamId: string, sourceId: SourceId): Promise<KnownStill | undefined> {
    const key = JSON.stringify([streamId, sourceId]);
    if (this.#known.has(key)) return this.#known.get(key);
    const asked = this.#asked.get(key) ?? this.#ask(key, streamId, sourceId);
    this.#asked.set(key, asked);
    return await asked;
  }

  async #ask(key: string, streamId: string, sourceId: SourceId): Promise<KnownStill | undefined> {
    try {
      const keyframe = await this.#engine.keyframe(streamId, sourceId).catch((error: unknown) => {
        throw sessionApiError(error);
      });
      const still = keyframe && (await stillOf(keyframe));
      this.#known.set(key, still);
      return still;
    } finally {
      this.#asked.delete(key);
    }
  }
}

const jpegUnavailable = (message: string, options?: ErrorOptions): ApiError =>
  new ApiError(501, 'jpeg_unavailable', message, options);
