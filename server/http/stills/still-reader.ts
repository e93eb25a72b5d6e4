import { NotFoundError } from '../../errors.js';
import type { StreamId } from '../../streams/stream-id.js';

/** A picture, as it is sent. */
export interface StillFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Gives pictures of live streams. `maxAgeMs`: how old a picture may be that somebody else asked for. */
export interface StillReader {
  /** @returns undefined: the source sends no video now @throws {ApiError} `engine_unavailable` */
  get(streamId: StreamId, sourceId: string | null, maxAgeMs?: number): Promise<StillFile | undefined>;
  /** @throws {ApiError} also `jpeg_unavailable` */
  getJpeg(streamId: StreamId, sourceId: string | null, maxAgeMs?: number): Promise<Buffer | undefined>;
}

export interface WantedStill {
  readonly streamId: StreamId;
  readonly streamName: string;
  readonly sourceId: string | null;
  readonly format: 'jpeg' | undefined;
  readonly maxAgeMs?: number | undefined;
}

/** @throws {ApiError} `still_unavailable`, `engine_unavailable`, `jpeg_unavailable` */
export async function readStill(
  stills: StillReader,
  { streamId, streamName, sourceId, format, maxAgeMs }: WantedStill,
): Promise<StillFile> {
  const still =
    format === 'jpeg'
      ? jpegFile(await stills.getJpeg(streamId, sourceId, maxAgeMs))
      : await stills.get(streamId, sourceId, maxAgeMs);
  if (still) return still;
  throw stillUnavailable(streamName);
}

export function stillUnavailable(streamName: string): NotFoundError {
  return new NotFoundError('still_unavailable', `There is no picture: ${streamName} sends no video now`);
}

const jpegFile = (bytes: Buffer | undefined): StillFile | undefined => bytes && { type: 'image/jpeg', bytes };
