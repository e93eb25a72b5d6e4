import { setTimeout as delay } from 'node:timers/promises';
import { isListed, keyPeriod, type SegmentKeys, type SharedFile } from '../../admission/segment-keys.js';
import { ApiError, NotFoundError } from '../../errors.js';
import { FairLimit } from '../../fair-limit.js';
import type { SourceId } from '../../media/engine/media-track.js';
import type { Packager } from '../packager.js';
import { NO_RECORDINGS, type RewindRecording, type RewindSource } from '../rewind-source.js';
import { mediaPlaylist } from './playlist.js';
import { FileCache } from './file-cache.js';
import {
  endsBefore,
  hasPlayablePart,
  hasSegments,
  listedMs,
  segmentedParts,
  type Segment,
  type SegmentedPart,
} from './segments.js';

/**
 * Chromium 156 fails on a playlist that grows and lists fewer ("Segment queue never had any data"), and does not try
 * again.
 */
const FIRST_SEGMENTS = 3;
/** How long players wait for them. An encoder with few keyframes takes longer: its playlist is short then. */
const FIRST_SEGMENTS_WITHIN_MS = 15_000;
const FIRST_SEGMENTS_POLL_MS = 250;

/** Of files of recordings, below the address of the CDN too. */
export const SEGMENTS_PATH = '/api/segments';

/** About half a minute of ten streams. */
const CACHE_BYTES = 128_000_000;
/** A playlist of four hours has a megabyte. */
const PLAYLIST_CACHE_BYTES = 32_000_000;

/**
 * The names of playlists: all that is recorded; the same as if the recording ended now; the last half minute.
 */
const PLAYLISTS = ['playlist.m3u8', 'complete.m3u8', 'live.m3u8'] as const;
export type PlaylistName = (typeof PLAYLISTS)[number];
export const isPlaylist = (file: string): file is PlaylistName => PLAYLISTS.some((name) => name === file);

export interface RewindFile {
  readonly type: 'video/mp4' | 'video/iso.segment';
  readonly body: Buffer;
}

/** Who asks for a file that may have to be made. */
export interface FileCaller {
  /** As of `sharingNetwork`. */
  readonly network: string;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
}

export interface RewindOptions {
  readonly source: RewindSource;
  readonly packager: Pick<Packager, 'initSegment' | 'segment'>;
  readonly cacheBytes?: number;
  /** Sends the files to players. Undefined: this server does. */
  readonly cdn?: RewindCdn | undefined;
}

export interface RewindCdn {
  /** Where the CDN fetches from this server, without a slash at the end. */
  readonly url: string;
  readonly keys: Pick<SegmentKeys, 'keyOf'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface FoundSegment {
  readonly found: SegmentedPart;
  readonly segment: Segment;
  /** The initialization segment that it needs, instead of itself. */
  readonly isInit: boolean;
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
  readonly #cdn: RewindCdn | undefined;
  readonly #cache: FileCache;
  /** Files to be made, by the network of those who ask: whoever asks for many old ones delays their own. */
  readonly #turns = new FairLimit({ atOnce: 6, ofOne: 3 });
  /** Many viewers get the same playlist until a segment comes. */
  readonly #playlists = new FileCache(PLAYLIST_CACHE_BYTES);
  /** The recordings that have just begun, by their id, until players can begin to play them. */
  readonly #beginning = new Map<string, Promise<void>>();

  constructor({ source, packager, cacheBytes = CACHE_BYTES, cdn }: RewindOptions) {
    this.#source = source;
    this.#packager = packager;
    this.#cdn = cdn;
    this.#cache = new FileCache(cacheBytes);
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

  /**
   * For players who ask for the playlist of a recording that has just begun: waits until there is enough to begin with.
   * @returns whether it had to wait
   */
  async waitForFirstSegments(recording: RewindRecording, name: PlaylistName): Promise<boolean> {
    if (!isGrowing(recording, name) || hasFirstSegments(recording)) return false;
    const { id } = recording;
    const beginning = this.#beginning.get(id) ?? this.#begin(id).finally(() => this.#beginning.delete(id));
    this.#beginning.set(id, beginning);
    await beginning;
    return true;
  }

  async #begin(recordingId: string): Promise<void> {
    for (let left = FIRST_SEGMENTS_WITHIN_MS; left > 0; left -= FIRST_SEGMENTS_POLL_MS) {
      await delay(FIRST_SEGMENTS_POLL_MS, undefined, { ref: false });
      const recording = await this.#source.findById(recordingId);
      if (!recording?.isOpen || hasFirstSegments(recording)) return;
    }
  }

  /**
   * Names files relative to its own address, where the rules decide about each. In `live.m3u8`, new segments have the
   * address at the CDN, which all viewers share: they ask for the playlist again before every new segment.
   */
  async playlist(recording: RewindRecording, name: PlaylistName): Promise<Buffer> {
    const { id, isOpen, parts } = recording;
    const isEnd = name === 'live.m3u8';
    const cdn = isEnd ? this.#cdn : undefined;
    const now = cdn?.now() ?? 0;
    // All that the text depends on: groups are only ever appended, and nothing of a closed part changes.
    const version = parts.map((part) => [part.id, part.groups.length, part.isOpen]);
    return this.#playlists.get(JSON.stringify([id, name, keyPeriod(now), isOpen, version]), async () => {
      const text = mediaPlaylist(segmentedParts(recording), {
        isOpen: isGrowing(recording, name),
        isEnd,
        addressOf(file, recordedAt) {
          const period = keyPeriod(recordedAt);
          return cdn && isListed(period, now) ? addressAt(cdn, { recordingId: id, period, file }) : file;
        },
      });
      return Buffer.from(text);
    });
  }

  /**
   * Where the CDN has a file, for players who may fetch it now. Undefined: there is no CDN.
   * @param name as `initName` and `segmentName` say
   * @throws {ApiError} `segment_not_found`: nobody gets the address of a segment before it is recorded
   */
  cdnAddress(recording: RewindRecording, name: string): string | undefined {
    const cdn = this.#cdn;
    if (!cdn) return undefined;
    findSegment(recording, name);
    return addressAt(cdn, { recordingId: recording.id, period: keyPeriod(cdn.now()), file: name });
  }

  /**
   * @param name as `initName` and `segmentName` say
   * @throws {ApiError} `segment_not_found`
   */
  async file(recording: RewindRecording, name: string, caller: FileCaller): Promise<RewindFile> {
    const { found, segment, isInit } = findSegment(recording, name);
    const { file, startsAt } = found.part;
    const part = { file, startsAt };
    const { from, to, initAt, keyframeAt, endMs } = segment;
    const { black } = found;
    const key = `${recording.id} ${name}`;
    if (isInit) {
      const make = (): Promise<Buffer> => this.#packager.initSegment(part, initAt, black);
      return { type: 'video/mp4', body: await this.#made(key, caller, make) };
    }
    const range = { part, from, to, keyframeAt, black, endMs };
    const make = (): Promise<Buffer> => this.#packager.segment(range, zeroOf(found));
    return { type: 'video/iso.segment', body: await this.#made(key, caller, make) };
  }

  async #made(key: string, { network, isGone }: FileCaller, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#cache.find(key);
    if (kept) return kept;
    return await this.#turns.run(network, async () => {
      // The answer reaches nobody.
      if (isGone()) throw unavailable();
      return await this.#cache.get(key, make);
    });
  }
}

/**
 * The wall-clock time at which the time line of the playlist would have begun without gaps: timestamps continue across
 * parts, so that also players that do not look at discontinuities play on.
 */
function zeroOf({ part: { startsAt, groups }, offsetMs }: SegmentedPart): number {
  return startsAt + groups[0]!.timestampMs - offsetMs;
}

/** Whether the playlist says that more may come. */
function isGrowing(recording: RewindRecording, name: PlaylistName): boolean {
  return recording.isOpen && name !== 'complete.m3u8' && !endsBefore(recording);
}

const hasFirstSegments = (recording: RewindRecording): boolean => hasSegments(recording, FIRST_SEGMENTS);

function addressAt({ url, keys }: RewindCdn, shared: SharedFile): string {
  const { recordingId, period, file } = shared;
  return `${url}${SEGMENTS_PATH}/${recordingId}/${period}/${keys.keyOf(shared)}/${file}`;
}

/** @throws {ApiError} `segment_not_found` */
function findSegment(recording: RewindRecording, name: string): FoundSegment {
  const [, partId, number, extension] = /^(.+)-(\d+)\.(\w+)$/.exec(name) ?? [];
  const found = segmentedParts(recording).find(({ part }) => part.id === partId);
  const segment = found?.segments[Number(number)];
  if (!segment) {
    throw new NotFoundError('segment_not_found', 'The recording has no such segment. Load its playlist again');
  }
  return { found, segment, isInit: extension === 'mp4' };
}

function unavailable(): NotFoundError {
  return new NotFoundError('rewind_unavailable', 'There is no recording of this stream to go back in');
}
