import { codecRuns } from '../codec-runs.js';
import {
  newRecordingId,
  partSums,
  recordingKey,
  type RecordedPart,
  type RecordingRecord,
} from '../recording-record.js';
import { recordedPart, type OpenPart } from './open-part.js';
import type { OpenRecording } from './open-recording.js';

/** A clip that is to be cut. */
export interface ClipPlan {
  /** As it is stored at first, with the parts that it is cut from. */
  readonly record: RecordingRecord;
  /** The recording that has these files. */
  readonly source: RecordingRecord;
  /** The files of the source in its folder, and the parts of the clip that they become. */
  readonly shared: readonly { readonly name: string; readonly as: string }[];
}

/** In seconds. */
export interface ClipRange {
  readonly start: number;
  readonly length: number;
}

/**
 * The last seconds: up to now while it is written, and otherwise up to its end.
 * @param now milliseconds since 1970
 * @returns undefined: nothing of this time is recorded, or its parts are divided among several files
 */
export function planClip(open: OpenRecording, seconds: number, now: number): ClipPlan | undefined {
  const written = open.parts.filter(({ bytes }) => bytes > 0);
  const runs = codecRuns(written.map((part) => ({ part, video: part.start.video })));
  const parts = (runs.at(-1) ?? []).map(({ part }) => part);
  const last = parts.at(-1);
  if (!last || (open.phase === 'over' && runs.length > 1)) return undefined;
  const to = last.isOpen ? now : Math.round(endOf(last));
  const from = to - seconds * 1_000;
  const taken = parts.filter((part) => endOf(part) >= from);
  const [first] = taken;
  if (!first) return undefined;
  // The copies in S3 are those of the recording.
  const recorded = taken.map((part) => recordedPart(part, undefined));
  const { videoCodec, audioCodec } = partSums(recorded);
  const record: RecordingRecord = {
    ...open.record,
    id: newRecordingId(),
    kind: 'clip',
    state: 'finishing',
    fault: null,
    startedOn: Math.max(from, first.start.startsAt),
    endedOn: to,
    durationMs: 0,
    bytes: 0,
    videoCodec,
    audioCodec,
    container: null,
    parts: recorded,
    expiresOn: null,
  };
  return { record, source: open.record, shared: recorded.map(({ name }) => ({ name, as: name })) };
}

/**
 * A piece of a recording that is ready, by its times: its file is the only part of the clip. Of a file in S3, the server
 * fetches it first.
 * @param range `start` counts from the beginning of the recording
 * @returns undefined: the recording ends before
 */
export function planCut(source: RecordingRecord, range: ClipRange): ClipPlan | undefined {
  const { start, length } = range;
  const { startedOn, durationMs, bytes, videoCodec, audioCodec, width, height, container, location } = source;
  const from = Math.round(start * 1_000);
  if (from >= durationMs) return undefined;
  const as = `part-1.${container}`;
  const isInS3 = location === 's3';
  const part: RecordedPart = {
    name: as,
    startsAt: startedOn,
    durationMs,
    bytes,
    video: videoCodec && { codec: videoCodec, width: width ?? 0, height: height ?? 0 },
    audio: audioCodec && { codec: audioCodec },
    ...(isInS3 && { storedAs: recordingKey(source) }),
  };
  const record: RecordingRecord = {
    ...source,
    id: newRecordingId(),
    kind: 'clip',
    state: 'finishing',
    fault: null,
    startedOn: startedOn + from,
    endedOn: startedOn + Math.min(durationMs, from + length * 1_000),
    durationMs: 0,
    bytes: 0,
    container: null,
    location: 'folder',
    parts: [part],
    expiresOn: null,
  };
  return { record, source, shared: isInS3 ? [] : [{ name: `recording.${container}`, as }] };
}

/** Milliseconds since 1970. */
const endOf = ({ start, durationMs }: OpenPart): number => start.startsAt + durationMs;
