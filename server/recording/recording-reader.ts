import type { SourceId, VideoCodec } from '../media/engine/media-track.js';
import { streamIdOf } from '../streams/stream-id.js';
import type { OpenPart } from './open/open-part.js';
import type { OpenRecording } from './open/open-recording.js';
import type { OpenRecordings } from './open/open-recordings.js';
import { finishedParts } from './finished-parts.js';
import type { RecordingFiles } from './recording-files.js';
import { recordingKey, type RecordingRecord } from './recording-record.js';
import type { RecordingStore } from './recording-store.js';
import type { RewindPart, RewindRecording, RewindSource } from './rewind-source.js';

/** Of the picture of a broadcaster who turns the camera on later: what our broadcaster and most encoders record in. */
const LIKELY_CODEC: VideoCodec = 'h264';

export interface RecordingReaderOptions {
  /** Those whose parts are in memory. */
  readonly recordings: Pick<OpenRecordings, 'get' | 'all'>;
  readonly store: Pick<RecordingStore, 'findAny' | 'findLatest'>;
  readonly files: RecordingFiles;
}

/** The recordings of this server, for viewers who go back in them. */
export class RecordingReader implements RewindSource {
  readonly #options: RecordingReaderOptions;

  constructor(options: RecordingReaderOptions) {
    this.#options = options;
  }

  findOpen(accountId: string, streamName: string, sourceId?: SourceId): RewindRecording | undefined {
    const open = this.#inMemory(accountId, streamName, sourceId);
    return open && open.phase !== 'over' ? openRewind(open) : undefined;
  }

  async findLatest(accountId: string, streamName: string, sourceId?: SourceId): Promise<RewindRecording | undefined> {
    const open = this.#inMemory(accountId, streamName, sourceId);
    if (open) return openRewind(open);
    const record = await this.#options.store.findLatest(accountId, streamName, sourceId);
    return record && (await this.#finished(record));
  }

  async findById(recordingId: string): Promise<RewindRecording | undefined> {
    const open = this.#options.recordings.get(recordingId);
    if (open) return openRewind(open);
    const record = await this.#options.store.findAny(recordingId);
    return record && (await this.#finished(record));
  }

  /** The newest one. */
  #inMemory(accountId: string, streamName: string, sourceId: SourceId | undefined): OpenRecording | undefined {
    const stream = streamIdOf(accountId, streamName);
    const ofStream = this.#options.recordings.all.filter((open) => open.stream === stream).toReversed();
    const ofSource = (wanted: SourceId) => ofStream.find(({ record }) => record.sourceId === wanted);
    return sourceId === undefined ? (ofSource(null) ?? ofStream[0]) : ofSource(sourceId);
  }

  /** Undefined: its file is not on this server, or is no broadcast. */
  async #finished(record: RecordingRecord): Promise<RewindRecording | undefined> {
    const { files } = this.#options;
    const { id, accountId, streamName, sourceId, tokenId, startedOn, kind, state, location } = record;
    if (kind !== 'broadcast' || state !== 'ready' || location !== 'folder') return undefined;
    const groups = await files.groups(record);
    if (!groups || (await files.storage.size(recordingKey(record))) === undefined) return undefined;
    const file = {
      file: files.storage.pathOf(recordingKey(record)),
      startsAt: startedOn,
      video: record.videoCodec ? { codec: record.videoCodec } : undefined,
      audio: record.audioCodec ? { codec: record.audioCodec } : undefined,
      durationMs: record.durationMs,
      bytes: record.bytes,
    };
    const parts = finishedParts(file, groups);
    return { id, accountId, streamName, sourceId, tokenId, startedAt: startedOn, isOpen: false, parts };
  }
}

function openRewind(open: OpenRecording): RewindRecording {
  const { id, accountId, streamName, sourceId, tokenId, startedOn } = open.record;
  const isOpen = open.phase !== 'over';
  return {
    id,
    accountId,
    streamName,
    sourceId,
    tokenId,
    startedAt: startedOn,
    isOpen,
    parts: open.parts.map(rewindPart),
  };
}

function rewindPart({ partId, start, groups, durationMs, bytes, isOpen }: OpenPart): RewindPart {
  const { file, startsAt, video, audio, announcedVideo = LIKELY_CODEC } = start;
  const id = `part-${partId.split('/')[1]}`;
  const codecs = video ? { video: { codec: video.codec } } : { video, expectedVideo: announcedVideo };
  return { id, file, startsAt, ...codecs, audio, groups, durationMs, bytes, isOpen };
}
