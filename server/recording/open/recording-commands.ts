import type { SourceId } from '../../media/engine/media-track.js';
import type { StartTimer } from './open-recording.js';
import { sourceKey } from './source-key.js';
import type { StreamId } from '../../streams/stream-id.js';

/** What somebody asked for, until the broadcast of the source ends. */
interface Command {
  readonly isOn: boolean;
  /** Of the publisher that is meant. Undefined: whoever publishes next. */
  readonly tokenId: number | undefined;
  cancelForgetting?: (() => void) | undefined;
}

/** Why a source is recorded. */
export type RecordingWish = 'commanded' | 'token' | 'none';

export interface RecordingCommandsOptions {
  /** Whether a publish token says that its broadcasts are recorded. */
  readonly tokenRecords: (tokenId: number) => boolean;
  readonly startTimer: StartTimer;
  /** A command holds for so long after the source has ended. */
  readonly comeBackMs: number;
}

/** Which sources are to be recorded: those whose token says so, unless somebody commanded otherwise. */
export class RecordingCommands {
  readonly #options: RecordingCommandsOptions;
  readonly #commands = new Map<string, Command>();

  constructor(options: RecordingCommandsOptions) {
    this.#options = options;
  }

  /** @param tokenId undefined: nobody publishes yet */
  give(stream: StreamId, sourceId: SourceId, command: Pick<Command, 'isOn' | 'tokenId'>): void {
    const key = sourceKey(stream, sourceId);
    this.#commands.get(key)?.cancelForgetting?.();
    this.#commands.set(key, command);
  }

  isSwitchedOff(stream: StreamId, sourceId: SourceId): boolean {
    return this.#commands.get(sourceKey(stream, sourceId))?.isOn === false;
  }

  /** The same publisher is back: commands hold on. */
  sourceResumed(stream: StreamId, sourceId: SourceId): void {
    this.#commands.get(sourceKey(stream, sourceId))?.cancelForgetting?.();
  }

  /** A broadcast begins. A command for another publisher is forgotten. */
  sourceLive(stream: StreamId, sourceId: SourceId, tokenId: number | undefined): RecordingWish {
    const key = sourceKey(stream, sourceId);
    const command = this.#commands.get(key);
    command?.cancelForgetting?.();
    const applies = command && (command.tokenId === undefined || command.tokenId === tokenId);
    if (command && !applies) this.#commands.delete(key);
    if (tokenId === undefined) return 'none';
    if (applies) return command.isOn ? 'commanded' : 'none';
    return this.#options.tokenRecords(tokenId) ? 'token' : 'none';
  }

  sourceEnded(stream: StreamId, sourceId: SourceId): void {
    const key = sourceKey(stream, sourceId);
    const command = this.#commands.get(key);
    if (!command) return;
    command.cancelForgetting?.();
    command.cancelForgetting = this.#options.startTimer(this.#options.comeBackMs, () => {
      if (this.#commands.get(key) === command) this.#commands.delete(key);
    });
  }

  close(): void {
    for (const { cancelForgetting } of this.#commands.values()) cancelForgetting?.();
    this.#commands.clear();
  }
}
