import { ApiError, NotFoundError } from '../../errors.js';
import type { SourceId } from '../../media/media-engine.js';
import type { Packager } from '../packager.js';
import { NO_RECORDINGS, type RewindRecording, type RewindSource } from '../rewind-source.js';
import { mediaPlaylist } from './playlist.js';
import { SegmentCache } from './segment-cache.js';
import { endsBefore, hasPlayablePart, listedMs, segmentedParts, type SegmentedPart } from './segments.js';

/** About half a minute of ten streams. */
const CACHE_BYTES = 128_000_000;

export interface RewindFile {
  readonly type: 'video/mp4' | 'video/iso.segment';
  readonly body: Buffer;
}

export interface RewindOptions {
  readonly source: RewindSource;
  readonly packager: Pick<Packager, 'initSegment' | 'segment'>;
  readonly cacheBytes?: number;
}

const unreachable = (): Promise<never> => Promise.reject(new Error('nothing is recorded'));

/** Of a server that records nothing: the packager is never asked. */
export const NOTHING_RECORDED: RewindOptions = {
  source: NO_RECORDINGS,
  packager: { initSegment: unreachable, segment: unreachable },
};

/** Recordings as HLS: the playlist, and its files, which the packager makes when a player asks for them. */
export class Rewind {
  readonly #source: RewindSource;
  readonly #packager: RewindOptions['packager'];
  readonly #cache: SegmentCache;

  constructor({ source, packager, cacheBytes = CACHE_BYTES }: RewindOptions) {
    this.#source = source;
    this.#packager = packager;
    this.#cache = new SegmentCache(cacheBytes);
  }

  /**
   * While the stream is live: what is recorded of it now. Else: the latest recording.
   * @throws {ApiError} `rewind_unavailable`, `rewind_codec_unsupported`
   */
  async find(
    accountId: string,
    streamName: string,
    { isLive, sourceId }: { readonly isLive: boolean; readonly sourceId?: SourceId | undefined },
  ): Promise<RewindRecording> {
    const open = this.#source.findOpen(accountId, streamName, sourceId);
    const recording = open ?? (isLive ? undefined : await this.#source.findLatest(accountId, streamName, sourceId));
    if (!recording || recording.parts.length === 0) throw unavailable();
    if (hasPlayablePart(recording)) return recording;
    throw new ApiError(
      409,
      'rewind_codec_unsupported',
      'The stream is sent in VP8, which players cannot go back in. Publish it with H264 or VP9',
    );
  }

  /** @throws {ApiError} `rewind_unavailable` */
  async recording(recordingId: string): Promise<RewindRecording> {
    const recording = await this.#source.findById(recordingId);
    if (!recording) throw unavailable();
    return recording;
  }

  /** The duration of what the playlist lists, in seconds. */
  seconds(recording: RewindRecording): number {
    return listedMs(segmentedParts(recording)) / 1000;
  }

  playlist(recording: RewindRecording): string {
    return mediaPlaylist(segmentedParts(recording), recording.isOpen && !endsBefore(recording));
  }

  /**
   * @param index of the segment in its part
   * @param isInit the initialization segment of this segment, instead of itself
   * @throws {ApiError} `segment_not_found`
   */
  async file(recording: RewindRecording, partId: string, index: number, isInit = false): Promise<RewindFile> {
    const found = segmentedParts(recording).find(({ part }) => part.id === partId);
    const segment = found?.segments[index];
    if (!segment) {
      throw new NotFoundError('segment_not_found', 'The recording has no such segment. Load its playlist again');
    }
    const { file, startsAt } = found.part;
    const part = { file, startsAt };
    const { from, to, initAt, keyframeAt, endMs } = segment;
    const key = JSON.stringify([recording.id, partId, index, isInit]);
    if (isInit) {
      return { type: 'video/mp4', body: await this.#cache.get(key, () => this.#packager.initSegment(part, initAt)) };
    }
    const make = (): Promise<Buffer> => this.#packager.segment({ part, from, to, keyframeAt, endMs }, zeroOf(found));
    return { type: 'video/iso.segment', body: await this.#cache.get(key, make) };
  }
}

/**
 * The wall-clock time at which the time line of the playlist would have begun without gaps: timestamps continue across
 * parts, so that also players that do not look at discontinuities play on.
 */
function zeroOf({ part: { startsAt, groups }, offsetMs }: SegmentedPart): number {
  return startsAt + groups[0]!.timestampMs - offsetMs;
}

function unavailable(): NotFoundError {
  return new NotFoundError('rewind_unavailable', 'There is no recording of this stream to go back in');
}
