import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import type { TappedFrame, TapTracks } from '../../../server/media/engine/tap.js';
import type { ProcessLogEntry } from '../../../server/recording/supervised-process.js';
import { RecorderProcess } from '../../../server/recording/recorder/recorder-process.js';
import type { PartEnd, PartProgress, PartStart } from '../../../server/recording/recorder.js';

export const REPLAY_RECORDER = fileURLToPath(new URL('replay-recorder.ts', import.meta.url));

/** What taps of `REPLAY_RECORDER` replay. The path of the file is their address. */
export function writeReplay(file: string, tracks: TapTracks, frames: readonly TappedFrame[], lengthMs: number): void {
  writeFileSync(file, serialize({ tracks, frames, lengthMs }));
}

/** The file in which a process writes how much of the replay it has replayed, in ms. */
export const replayedFile = (file: string, pid: number): string => `${file}.${pid}`;

/** A recorder in a process of its own, and all that it reports. */
export class ObservedRecorder {
  readonly recorder: RecorderProcess;
  readonly started = new Map<string, PartStart>();
  readonly progress = new Map<string, PartProgress>();
  readonly ended = new Map<string, PartEnd>();

  constructor(onLog: (entry: ProcessLogEntry) => void = () => {}, leastFreeBytes = 0) {
    this.recorder = new RecorderProcess({ onLog, leastFreeBytes, file: REPLAY_RECORDER });
    this.recorder
      .on('started', (start) => this.started.set(start.partId, start))
      .on('progress', (progress) => this.progress.set(progress.partId, progress))
      .on('ended', (end) => this.ended.set(end.partId, end));
  }
}
