import { EventEmitter } from 'node:events';
import type { SourceId } from '../../server/media/engine/media-track.js';
import {
  RecordingError,
  type RecordingControl,
  type RecordingControlEvents,
} from '../../server/recording/recording-control.js';
import type { RecordingRefusalCode } from '../../src/wire/recording-fault.js';
import { type StreamId } from '../../server/streams/stream-id.js';

/** Remembers what it was asked to record, and records nothing. */
export class FakeRecording extends EventEmitter<RecordingControlEvents> implements RecordingControl {
  readonly isAvailable = true;
  /** Every switch: `on account/name source`. The main source is `main`. */
  readonly switched: string[] = [];
  /** The code and the message of the refusal that the next switch gets. */
  refusal: { readonly code: RecordingRefusalCode; readonly message: string } | undefined;
  readonly #recorded = new Set<string>();

  async setRecording(stream: StreamId, sourceId: SourceId, isOn: boolean): Promise<void> {
    if (this.refusal) throw new RecordingError(this.refusal.code, this.refusal.message);
    this.switched.push(`${isOn ? 'on' : 'off'} ${stream} ${sourceId ?? 'main'}`);
    this.report(stream, sourceId, isOn);
  }

  isRecording(stream: StreamId, sourceId: SourceId): boolean {
    return this.#recorded.has(JSON.stringify([stream, sourceId]));
  }

  /** Emits a change, as if the recording of the source had begun, ended or failed. */
  report(stream: StreamId, sourceId: SourceId, isRecording: boolean, fault: RecordingRefusalCode | null = null): void {
    const key = JSON.stringify([stream, sourceId]);
    if (isRecording) this.#recorded.add(key);
    else this.#recorded.delete(key);
    this.emit('changed', { stream, sourceId, isRecording, fault });
  }
}
