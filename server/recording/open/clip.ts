import { newRecordingId, type RecordingRecord } from '../recording-record.js';
import { recordedPart, type OpenPart, type OpenRecording } from './open-recording.js';

/** Milliseconds since 1970. */
export interface ClipRange {
  readonly from: number;
  readonly to: number;
}

/** A clip that is to be cut. */
export interface ClipPlan {
  /** As it is stored at first, with the parts that it is cut from. */
  readonly record: RecordingRecord;
  /** The recording that has these parts. */
  readonly source: RecordingRecord;
}

/** @returns undefined: nothing of this time is recorded */
export function planClip(open: OpenRecording, { from, to }: ClipRange): ClipPlan | undefined {
  const parts = partsWithin(open.parts, from);
  const [first] = parts;
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
    parts: parts.map((part) => recordedPart(part, undefined)),
    expiresOn: null,
  };
  return { record, source: open.record };
}

/** The parts since `from`, as far back as they have the codecs of the last one. */
function partsWithin(parts: readonly OpenPart[], from: number): OpenPart[] {
  const written = parts.filter(({ bytes, start, durationMs }) => bytes > 0 && start.startsAt + durationMs >= from);
  const last = written.at(-1)?.start;
  const isOther = ({ start }: OpenPart): boolean =>
    start.video?.codec !== last?.video?.codec || start.audio?.codec !== last?.audio?.codec;
  return written.slice(written.findLastIndex(isOther) + 1);
}
