import { hash, randomBytes } from 'node:crypto';
import type { RecordingState } from '../../src/wire/management/recording.js';
import type { RecordingFaultCode } from '../../src/wire/recording-fault.js';
import type { SourceId, VideoCodec } from '../media/engine/media-track.js';

export type { RecordingFaultCode };

/**
 * The copy of a part in S3 storage that grows while the part is written: pieces of a multipart upload, and its tail. See
 * part-tail.ts.
 */
export interface PartBackup {
  /** Of the part, below the root of the storage. */
  readonly key: string;
  /** Of the multipart upload. Null: it has no piece yet. */
  readonly uploadId: string | null;
  /** Of the pieces that are there, in order. */
  readonly etags: readonly string[];
}

/** A file that the recorder wrote. */
export interface RecordedPart {
  /** In the folder of its recording, such as `part-1.mkv`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly video: { readonly codec: VideoCodec; readonly width: number; readonly height: number } | null;
  readonly audio: { readonly codec: 'opus' } | null;
  /** Of a clip: the key of the file in S3 that this part is a copy of. Absent: it is in the folder. */
  readonly storedAs?: string | undefined;
  /** Absent: there is none. */
  readonly backup?: PartBackup | undefined;
}

/** A recording as it is stored. Times are milliseconds since 1970. */
export interface RecordingRecord {
  /** 22 characters, base64url. Cannot be guessed. */
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'broadcast' | 'clip';
  readonly streamName: string;
  readonly sourceId: SourceId;
  /** The publish token. Null: it is deleted. */
  readonly tokenId: number | null;
  readonly state: RecordingState;
  readonly fault: RecordingFaultCode | null;
  readonly startedOn: number;
  /** Null: it is being recorded. With the state `recording`: its publisher is away, and may come back. */
  readonly endedOn: number | null;
  readonly durationMs: number;
  readonly bytes: number;
  readonly videoCodec: VideoCodec | null;
  readonly audioCodec: 'opus' | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Null: it is not ready. */
  readonly container: 'mp4' | 'webm' | null;
  /** The files that its file is made of. Empty once that is done. */
  readonly parts: readonly RecordedPart[];
  /** Where its file is: in the folder of the server `nodeId`, or in S3. */
  readonly location: 'folder' | 's3';
  /** The server that has its parts, or its file. See recording-files.ts. */
  readonly nodeId: string;
  /** Null: it is kept. */
  readonly expiresOn: number | null;
}

const ID_BYTES = 16;
const DAY_MS = 86_400_000;

/** Begins with a letter or digit: a command line would read an option. */
export function newRecordingId(): string {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString('base64url');
    if (/^[^-_]/.test(id)) return id;
  }
}

/** Who records what, when it begins. */
export interface BroadcastStart extends Pick<RecordingRecord, 'accountId' | 'streamName' | 'sourceId' | 'nodeId'> {
  readonly tokenId: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Null: it is kept. */
  readonly retentionDays: number | null;
}

/** A broadcast of which nothing is recorded yet. */
export function newBroadcast({ now, retentionDays, ...start }: BroadcastStart): RecordingRecord {
  return {
    ...start,
    id: newRecordingId(),
    kind: 'broadcast',
    state: 'recording',
    fault: null,
    startedOn: now,
    endedOn: null,
    durationMs: 0,
    bytes: 0,
    videoCodec: null,
    audioCodec: null,
    width: null,
    height: null,
    container: null,
    parts: [],
    location: 'folder',
    expiresOn: expiryOf(now, retentionDays),
  };
}

/** @param time milliseconds since 1970 @returns as `time`; null: it is kept */
export function expiryOf(time: number, retentionDays: number | null): number | null {
  return retentionDays === null ? null : time + retentionDays * DAY_MS;
}

/** The folder of an account: its id may contain what no path may. */
export function accountFolder(accountId: string): string {
  return hash('sha256', accountId, 'hex').slice(0, 32);
}

/** The folder of a recording, below the root of whichever storage. */
export function recordingFolder({ accountId, id }: Pick<RecordingRecord, 'accountId' | 'id'>): string {
  return `${accountFolder(accountId)}/${id}`;
}

/** The file of a recording that is ready, below the root of whichever storage. */
export function recordingKey(record: Pick<RecordingRecord, 'accountId' | 'id' | 'container'>): string {
  return `${recordingFolder(record)}/recording.${record.container ?? 'mp4'}`;
}

/** The part as it is in the folder of its recording, below the root of whichever storage. */
export function partKey(
  record: Pick<RecordingRecord, 'accountId' | 'id'>,
  { name }: Pick<RecordedPart, 'name'>,
): string {
  return `${recordingFolder(record)}/${name}`;
}

/** What the parts say about the recording. */
export function partSums(parts: readonly RecordedPart[]) {
  const first = parts[0];
  const video = parts.flatMap((part) => part.video ?? []);
  const end = Math.max(0, ...parts.map(({ startsAt, durationMs }) => startsAt + durationMs));
  return {
    durationMs: first ? Math.max(0, end - first.startsAt) : 0,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    videoCodec: video[0]?.codec ?? null,
    audioCodec: parts.find(({ audio }) => audio)?.audio?.codec ?? null,
    width: largest(video.map(({ width }) => width)),
    height: largest(video.map(({ height }) => height)),
  };
}

function largest(sizes: readonly number[]): number | null {
  return sizes.length > 0 ? Math.max(...sizes) : null;
}

export function mediaType(name: string): string {
  if (name.endsWith('.mp4')) return 'video/mp4';
  return name.endsWith('.webm') ? 'video/webm' : 'video/x-matroska';
}
