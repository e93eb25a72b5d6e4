import type { RecordingChange } from '../recording-control.js';
import { sourceKey } from './source-key.js';

/** What was last told about the recording of each source, so that nobody is told twice. */
export class RecordingChanges {
  readonly #told = new Map<string, string>();

  /** @returns whether it is news */
  note({ stream, sourceId, isRecording, fault }: RecordingChange): boolean {
    const key = sourceKey(stream, sourceId);
    const state = JSON.stringify([isRecording, fault]);
    const told = this.#told.get(key);
    if (told === state) return false;
    // What is not recorded and never was is no news.
    const isNothing = !isRecording && fault === null;
    if (isNothing) this.#told.delete(key);
    else this.#told.set(key, state);
    return told !== undefined || !isNothing;
  }
}
