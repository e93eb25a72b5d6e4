import type { SourceId, VideoCodec } from '../media/engine/media-track.js';
import type { PartFile } from './packager.js';
import type { PartGroup } from './recorder.js';

/** A part that viewers can go back in. */
export interface RewindPart extends PartFile {
  /** Unique in its recording: word characters and `-`. */
  readonly id: string;
  /** Undefined: sound alone. */
  readonly video: { readonly codec: VideoCodec } | undefined;
  /** Of a part with sound alone: the codec that a picture would have if one came. Undefined: none can come. */
  readonly expectedVideo?: VideoCodec | undefined;
  readonly audio: { readonly codec: 'opus' } | undefined;
  /** All that began, in order. Groups are only ever appended. */
  readonly groups: readonly PartGroup[];
  readonly durationMs: number;
  /** That are on disk. */
  readonly bytes: number;
  /** Whether the recorder still writes it. If not, nothing of it changes any more. */
  readonly isOpen: boolean;
}

/** A recording as a rewind plays it. */
export interface RewindRecording {
  /** 22 characters of base64url. */
  readonly id: string;
  readonly accountId: string;
  readonly streamName: string;
  readonly sourceId: SourceId;
  /** The publish token. Null: it is deleted. */
  readonly tokenId: number | null;
  /** In ms since 1970. */
  readonly startedAt: number;
  /** Whether more may come: parts are only ever appended. */
  readonly isOpen: boolean;
  /** In order. Of a finished recording: one part, which is the finished file. */
  readonly parts: readonly RewindPart[];
}

/** The recordings that viewers may see: of the whole broadcast, not clips. */
export interface RewindSource {
  /** The recording of what is live. @param sourceId undefined: the main source, or else any */
  findOpen(accountId: string, streamName: string, sourceId?: SourceId): RewindRecording | undefined;
  /** The latest recording whose files are on this server. @param sourceId as of `findOpen` */
  findLatest(accountId: string, streamName: string, sourceId?: SourceId): Promise<RewindRecording | undefined>;
  findById(recordingId: string): Promise<RewindRecording | undefined>;
}

/** A server that records nothing. */
export const NO_RECORDINGS: RewindSource = {
  findOpen: () => undefined,
  findLatest: async () => undefined,
  findById: async () => undefined,
};
