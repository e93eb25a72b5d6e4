import type { EventEmitter } from 'node:events';
import type { RecordingRefusalCode } from '../../src/wire/recording-fault.js';
import { Emitter } from '../faults/emitter.js';
import type { SourceId } from '../media/engine/media-track.js';
import type { StreamId } from '../streams/stream-id.js';

/** What became of the recording of a source. */
export interface RecordingChange {
  /** `account/name`. */
  readonly stream: StreamId;
  readonly sourceId: SourceId;
  readonly isRecording: boolean;
  /**
   * A stable code, such as `disk_full`: why nothing is recorded although it should be, or what was lost of a recording
   * that goes on. Null: all is well.
   */
  readonly fault: RecordingRefusalCode | null;
}

export interface RecordingControlEvents {
  /** A recording of a live source began, ended, or met a fault. */
  changed: [change: RecordingChange];
}

/** The request to record cannot be fulfilled now. The message is for the person who asked. */
export class RecordingError extends Error {
  override name = 'RecordingError';

  constructor(
    readonly code: RecordingRefusalCode,
    message: string,
  ) {
    super(message);
  }
}

/** Switches the recording of sources. A publisher whose token has `record` is recorded without being switched on. */
export interface RecordingControl extends EventEmitter<RecordingControlEvents> {
  /** Whether this server records at all. */
  readonly isAvailable: boolean;
  /**
   * Records the source from now on, or stops, until its broadcast ends. For a source that is not live yet, this says what
   * happens when it is. Does nothing if it is so already.
   * @throws {RecordingError}
   */
  setRecording(stream: StreamId, sourceId: SourceId, isOn: boolean): Promise<void>;
  /** Whether the source is being recorded now. */
  isRecording(stream: StreamId, sourceId: SourceId): boolean;
}

/** Of a server that does not record. */
export class NoRecording extends Emitter<RecordingControlEvents> implements RecordingControl {
  readonly isAvailable = false;

  constructor() {
    super('recording');
  }

  async setRecording(): Promise<void> {
    throw new RecordingError('recording_unavailable', 'this server does not record');
  }

  isRecording(): boolean {
    return false;
  }
}
