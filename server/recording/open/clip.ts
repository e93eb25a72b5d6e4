import { newRecordingId, type RecordingRecord } from '../recording-record.js';
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
  const parts = lastOfOneCodec(written);
  const last = parts.at(-1);
  if (!last || (open.phase === 'over' && parts.length < written.length)) return undefined;
  const to = last.isOpen ? now : Math.round(endOf(last));
  const from = to - seconds * 1_000;
  const taken = parts.filter((part) => endOf(part) >= from);
  const [first] = taken;
  if (!first) return undefined;
  const { video, audio, startsAt } = first.start;
  const record: RecordingRecord = {
    ...open.record,
    id: newRecordingId(),
    kind: 'clip',
    state: 'finishing',
    fault: null,
    startedOn: Math.max(from, Math.round(startsAt)),
    endedOn: to,
    durationMs: 0,
    bytes: 0,
    videoCodec: video?.codec ?? null,
    audioCodec: audio?.codec ?? null,
    container: null,
    // The copies in S3 are those of the recording.
    parts: taken.map((part) => recordedPart(part, undefined)),
    expiresOn: null,
  };
  return { record, source: open.record };
}

/** The last parts, as far back as they have the codecs of the last one. */
function lastOfOneCodec(parts: readonly OpenPart[]): readonly OpenPart[] {
  const last = parts.at(-1)?.start;
  const isOther = ({ start }: OpenPart): boolean =>
    start.video?.codec !== last?.video?.codec || start.audio?.codec !== last?.audio?.codec;
  return parts.slice(parts.findLastIndex(isOther) + 1);
}

/** Milliseconds since 1970. */
const endOf = ({ start, durationMs }: OpenPart): number => start.startsAt + durationMs;
