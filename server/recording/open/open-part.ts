import { basename } from 'node:path';
import type { PartGroup, PartProgress, PartStart } from '../recorder.js';
import type { PartBackup, RecordedPart } from '../recording-record.js';

/** A part, with what viewers need who go back in it. */
export interface OpenPart {
  /** Names it in the events of the recorder. */
  readonly partId: string;
  readonly start: PartStart;
  readonly groups: PartGroup[];
  bytes: number;
  durationMs: number;
  width: number;
  height: number;
  framesLost: number;
  isDiskSlow: boolean;
  isOpen: boolean;
  backup: PartBackup | undefined;
}

/** Times of frames have fractions of milliseconds; what is stored has none, and begins and ends where this part does. */
export function beginPart(started: PartStart): OpenPart {
  const start = { ...started, startsAt: Math.round(started.startsAt) };
  const { width = 0, height = 0 } = start.video ?? {};
  const sums = { bytes: 0, durationMs: 0, framesLost: 0, isDiskSlow: false, isOpen: true, backup: undefined };
  return { partId: start.partId, start, groups: [], width, height, ...sums };
}

/** More of it is on disk. */
export function growPart(part: OpenPart, progress: PartProgress): void {
  const { bytes, durationMs, groups, width, height, framesLost, isDiskSlow } = progress;
  part.groups.push(...groups);
  Object.assign(part, { bytes, durationMs, framesLost });
  part.isDiskSlow ||= isDiskSlow;
  part.width = Math.max(part.width, width);
  part.height = Math.max(part.height, height);
}

/** As it is stored. */
export function recordedPart(part: OpenPart, backup: PartBackup | undefined): RecordedPart {
  const { start, width, height, durationMs, bytes } = part;
  const { file, startsAt, video, audio } = start;
  return {
    name: basename(file),
    startsAt,
    durationMs: Math.round(durationMs),
    bytes,
    video: video ? { codec: video.codec, width, height } : null,
    audio: audio ?? null,
    ...(backup && { backup }),
  };
}
