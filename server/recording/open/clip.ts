import { codecRuns } from '../codec-runs.js';
import { newRecordingId, partSums, type RecordingRecord } from '../recording-record.js';
import { recordedPart, type OpenPart, type OpenRecording } from './open-recording.js';

/** A clip that is to be cut. */
export interface ClipPlan {
  /** As it is stored at first, with the parts that it is cut from. */
  readonly record: RecordingRecord;
  /** The recording that has these parts. */
  readonly source: RecordingRecord;
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
    startedOn: Math.max(from, Math.round(first.start.startsAt)),
    endedOn: to,
    durationMs: 0,
    bytes: 0,
    videoCodec,
    audioCodec,
    container: null,
    parts: recorded,
    expiresOn: null,
  };
  return { record, source: open.record };
}

/** Milliseconds since 1970. */
const endOf = ({ start, durationMs }: OpenPart): number => start.startsAt + durationMs;
