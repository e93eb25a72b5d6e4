import type { ManagementClient } from '../../../management/management-client.js';
import type {
  CutRecording,
  RecordingBody,
  RecordingSettingsBody,
  RecordingState,
  UpdateRecordingSettings,
} from '../../../wire/management/recording.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';

const ITEMS_ON_PAGE = 20;
export const REFRESH_MS = 5_000;

export interface RecordingFilter {
  /** Empty: every stream. */
  readonly streamName: string;
  readonly state: RecordingState | undefined;
}

export interface RecordingsContent extends ListPage {
  /** The newest first. */
  readonly recordings: readonly RecordingBody[];
  readonly settings: RecordingSettingsBody;
  readonly filter: RecordingFilter;
  /** Whether the server could not be asked again since. */
  readonly isStale: boolean;
}

export type RecordingsView = PageView<RecordingsContent>;

export interface RecordingsStateOptions {
  readonly client: ManagementClient;
  readonly onChange: (view: RecordingsView) => void;
}

/** Reads and changes the recordings. What is being recorded is read again and again. Changes throw {@link ManagementError}. */
export class RecordingsState {
  readonly #options: RecordingsStateOptions;
  #view: RecordingsView = { name: 'loading' };
  #filter: RecordingFilter = { streamName: '', state: undefined };
  #page = 1;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(options: RecordingsStateOptions) {
    this.#options = options;
  }

  /** Reads again and again what changes by itself. The first read is that of `filter` or `load`. */
  start(): void {
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible' && isChanging(this.#view)) void this.load();
    }, REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#reads += 1;
  }

  async filter(filter: RecordingFilter, page = 1): Promise<void> {
    this.#filter = filter;
    await this.load(page);
  }

  /** @param page to turn to. Absent: the present one. */
  async load(page = this.#page): Promise<void> {
    this.#page = page;
    const read = (this.#reads += 1);
    const view = await readView<RecordingsContent>(async () => {
      const [list, settings] = await Promise.all([this.#list(), this.#options.client.recordings.recordingSettings()]);
      return { ...list, settings, filter: this.#filter, isStale: false };
    });
    if (read !== this.#reads) return;
    this.#view = view.name === 'unreachable' && this.#view.name === 'ready' ? { ...this.#view, isStale: true } : view;
    this.#options.onChange(this.#view);
  }

  /** @param expiresOn null: it is kept */
  async setExpiry(id: string, expiresOn: string | null): Promise<void> {
    await this.#options.client.recordings.updateRecording(id, { expiresOn });
    await this.load();
  }

  async remove(id: string): Promise<void> {
    await this.#options.client.recordings.deleteRecording(id);
    await this.load();
  }

  /** Has the server try now to make the file of a recording that could not be made ready. */
  async finish(id: string): Promise<void> {
    await this.#options.client.recordings.finishRecording(id);
    await this.load();
  }

  /** Keeps a piece of a recording as one of its own. */
  async cut(id: string, piece: CutRecording): Promise<void> {
    await this.#options.client.recordings.cutRecording(id, piece);
    await this.load(1);
  }

  /** A link that opens the file without a login. */
  async link(
    id: string,
    seconds: number,
    download = false,
  ): Promise<{ readonly path: string; readonly expiresOn: string }> {
    return await this.#options.client.recordings.recordingLink(id, { seconds, download });
  }

  async saveSettings(change: UpdateRecordingSettings): Promise<void> {
    await this.#options.client.recordings.updateRecordingSettings(change);
    await this.load();
  }

  async csv(): Promise<string> {
    const { streamName, state } = this.#filter;
    return await this.#options.client.recordings.csv({ streamName: streamName || undefined, state });
  }

  async #list(): Promise<ListPage & Pick<RecordingsContent, 'recordings'>> {
    const { streamName, state } = this.#filter;
    const list = await readPage(this.#page, ITEMS_ON_PAGE, (page) =>
      this.#options.client.recordings.listRecordings({
        streamName: streamName || undefined,
        state,
        page,
        itemsOnPage: ITEMS_ON_PAGE,
      }),
    );
    this.#page = list.page;
    return list;
  }
}

/** Whether a list on the page changes by itself. */
function isChanging(view: RecordingsView): boolean {
  return (
    view.name === 'ready' &&
    (view.isStale || view.recordings.some(({ state }) => state === 'recording' || state === 'finishing'))
  );
}
