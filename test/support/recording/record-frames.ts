import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { TapListener, TappedFrame, TapTracks } from '../../../server/media/engine/tap.js';
import type { OpenFileToAppend } from '../../../server/recording/recorder/append-file.js';
import type { Backlog } from '../../../server/recording/recorder/drop-policy.js';
import { PartRecorder } from '../../../server/recording/recorder/part-recorder.js';
import type { PartEnd, PartOrder, PartProgress, PartStart } from '../../../server/recording/recorder.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

export const aPartOrder = (folder: string, fields: Partial<PartOrder> = {}): PartOrder => ({
  partId: 'part',
  tap: { path: '/unused' },
  stream: streamIdOf('acme', 'main'),
  sourceId: null,
  path: join(folder, 'part-1'),
  keyframeEveryMs: 2_000,
  ...fields,
});

/** A part that is recorded from a tap of the test, on a clock of the test. */
export class RecordedPart {
  now = 0;
  started: PartStart | undefined;
  readonly progress: PartProgress[] = [];
  readonly ended: Promise<PartEnd>;
  tap!: TapListener;
  isTapClosed = false;
  readonly #recorder: PartRecorder;

  constructor(folder: string, options: { openFile?: OpenFileToAppend; maxBacklog?: Backlog } = {}) {
    const { promise, resolve } = Promise.withResolvers<PartEnd>();
    this.ended = promise;
    const openTap = (_address: unknown, _options: unknown, listener: TapListener) => {
      this.tap = listener;
      return { close: () => (this.isTapClosed = true) };
    };
    this.#recorder = new PartRecorder(
      aPartOrder(folder),
      { openTap, now: () => this.now, ...options },
      { onStarted: (start) => (this.started = start), onProgress: (it) => this.progress.push(it), onEnded: resolve },
    );
  }

  get groups() {
    return this.progress.flatMap(({ groups }) => groups);
  }

  /** Frames arrive when their timestamps say. */
  async play(frames: readonly TappedFrame[], tracks?: TapTracks): Promise<void> {
    if (tracks) this.tap.onSource(tracks);
    const zero = frames[0]!.timestampMs - this.now;
    for (const [index, frame] of frames.entries()) {
      this.now = Math.max(this.now, frame.timestampMs - zero);
      this.tap.onFrame(frame);
      if (index % 20 === 0) await turn();
    }
  }

  async stop(): Promise<PartEnd> {
    await this.#recorder.stop();
    return this.ended;
  }
}

/** Records these frames in one part, to its end. The disk may be slower than the clock of the test: no frame is left out. */
export async function recordFrames(folder: string, frames: readonly TappedFrame[], tracks: TapTracks) {
  const part = new RecordedPart(folder, { maxBacklog: { bytes: Infinity, ms: Infinity } });
  await part.play(frames, tracks);
  const end = await part.stop();
  return { start: part.started!, end, groups: part.groups, progress: part.progress };
}
