/** The main module of a recorder's process whose taps replay a file of `writeReplay` in real time, again and again. */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { OpenTap, TappedFrame, TapTracks } from '../../../server/media/engine/tap.js';
import { runRecorder } from '../../../server/recording/recorder/run-recorder.js';

const POLL_MS = 5;

const openReplay: OpenTap = ({ path }, _options, listener) => {
  const { tracks, frames, lengthMs } = deserialize(readFileSync(path)) as {
    tracks: TapTracks;
    frames: readonly TappedFrame[];
    lengthMs: number;
  };
  let zero = Date.now();
  let next = 0;
  listener.onSource(tracks);
  const timer = setInterval(() => {
    for (; frames[next]!.timestampMs <= Date.now() - zero;) {
      const { timestampMs, data, ...frame } = frames[next]!;
      listener.onFrame({ ...frame, data: Buffer.from(data), timestampMs: zero + timestampMs });
      next += 1;
      if (next < frames.length) continue;
      next = 0;
      zero += lengthMs;
    }
  }, POLL_MS);
  return { close: () => clearInterval(timer) };
};

runRecorder(openReplay);
