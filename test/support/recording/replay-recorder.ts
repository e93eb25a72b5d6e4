/**
 * The main module of a recorder's process whose taps replay a file of `writeReplay` in real time, again and again. A
 * pause of the process is left out. How much it has replayed, in ms, is in a file beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { OpenTap, TappedFrame, TapTracks } from '../../../server/media/engine/tap.js';
import { runRecorder } from '../../../server/recording/recorder/run-recorder.js';
import { replayedFile } from './recorder-with-replay.js';

const POLL_MS = 5;
/** A longer time between two polls is a pause. */
const LONGEST_STEP_MS = 50;

const openReplay: OpenTap = ({ path }, _options, listener) => {
  const { tracks, frames, lengthMs } = deserialize(readFileSync(path)) as {
    tracks: TapTracks;
    frames: readonly TappedFrame[];
    lengthMs: number;
  };
  const began = Date.now();
  let polledAt = began;
  let replayedMs = 0;
  let zero = 0;
  let next = 0;
  listener.onSource(tracks);
  const timer = setInterval(() => {
    const now = Date.now();
    replayedMs += Math.min(now - polledAt, LONGEST_STEP_MS);
    polledAt = now;
    writeFileSync(replayedFile(path, process.pid), String(replayedMs));
    for (; zero + frames[next]!.timestampMs <= replayedMs;) {
      const { timestampMs, data, ...frame } = frames[next]!;
      listener.onFrame({ ...frame, data: Buffer.from(data), timestampMs: began + zero + timestampMs });
      next += 1;
      if (next < frames.length) continue;
      next = 0;
      zero += lengthMs;
    }
  }, POLL_MS);
  return { close: () => clearInterval(timer) };
};

runRecorder(openReplay);
