import type { Logger } from 'pino';
import type { BackgroundWork } from '../background-work.js';
import type { RecordingStore } from '../recording-store.js';
import type { OpenRecording, StartTimer } from './open-recording.js';
import type { OpenRecordings } from './open-recordings.js';

/** A recording is saved this often while it grows, and the quota is compared. */
export const SAVE_EVERY_MS = 10_000;

/** What a person did to begin it. Undefined: it began by itself. */
export type BeginAction = 'recording_started' | undefined;

export interface RecordingSaverOptions {
  readonly store: Pick<RecordingStore, 'add' | 'save'>;
  readonly recordings: OpenRecordings;
  readonly startTimer: StartTimer;
  readonly work: BackgroundWork;
  /** All were saved. */
  readonly onSaved: () => Promise<void>;
  /** Its row is gone, or belongs to another server. */
  readonly onLost: (open: OpenRecording) => void;
  readonly log: Pick<Logger, 'error'>;
}

/** Keeps the rows of open recordings as they are. What cannot be saved now is saved next time. */
export class RecordingSaver {
  readonly #options: RecordingSaverOptions;
  /** Those without a row, by id. */
  readonly #unsaved = new Map<string, BeginAction>();
  readonly #saving = new Map<string, Promise<boolean>>();
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: RecordingSaverOptions) {
    this.#options = options;
  }

  /** A recording that has no row yet. */
  begin({ id }: OpenRecording, action: BeginAction): void {
    this.#unsaved.set(id, action);
    this.#saveLater();
  }

  /** Whether it has no row, so that what is made of it would belong to nobody. */
  isUnsaved({ id }: OpenRecording): boolean {
    return this.#unsaved.has(id);
  }

  /** Never rejects. Saves what is true when the saves before have ended. @returns whether the database has it */
  async save(open: OpenRecording): Promise<boolean> {
    const saved = (this.#saving.get(open.id) ?? Promise.resolve()).then(() => this.#saveNow(open));
    this.#saving.set(open.id, saved);
    const isSaved = await saved;
    if (this.#saving.get(open.id) === saved) this.#saving.delete(open.id);
    return isSaved;
  }

  /** Saves everything once more, and nothing by itself afterwards. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#saveAll();
  }

  #saveLater(): void {
    if (this.#isClosed) return;
    const { startTimer, recordings, work, onSaved } = this.#options;
    this.#cancelTimer ??= startTimer(SAVE_EVERY_MS, () => {
      this.#cancelTimer = undefined;
      if (recordings.active.length === 0 && this.#unsaved.size === 0) return;
      work.track(this.#saveAll().then(onSaved));
      this.#saveLater();
    });
  }

  async #saveAll(): Promise<void> {
    for (const open of this.#options.recordings.all) if (open.phase !== 'over') await this.save(open);
  }

  async #saveNow(open: OpenRecording): Promise<boolean> {
    const { store, onLost, log } = this.#options;
    const { id } = open;
    try {
      if (this.#unsaved.has(id)) {
        const action = this.#unsaved.get(id);
        this.#unsaved.delete(id);
        await store.add(open.record, action).catch((error: unknown) => {
          this.#unsaved.set(id, action);
          throw error;
        });
      } else if (!(await store.save(open.record))) {
        if (open.phase !== 'over') onLost(open);
        return false;
      }
      return true;
    } catch (err) {
      log.error({ err, recording: id }, 'a recording could not be saved');
      return false;
    }
  }
}
