import type { ManagementClient } from '../../../management/management-client.js';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import type { SessionBody } from '../../../wire/management/session.js';
import { readView, type PageView } from '../page-view.js';

export const REFRESH_MS = 5_000;
/** The most viewers that the page lists. */
const VIEWERS_SHOWN = 100;

/** The open sessions of viewers of one stream. */
export interface StreamViewers {
  readonly streamName: string;
  readonly sessions: readonly SessionBody[];
  /** There are more than the page lists. */
  readonly hasMore: boolean;
}

export interface LiveContent {
  /** By name. */
  readonly streams: readonly LiveStreamBody[];
  readonly viewers: StreamViewers | undefined;
  /** Milliseconds since 1970. */
  readonly readOn: number;
  /** Whether the server could not be asked again since. */
  readonly isStale: boolean;
}

export type LiveView = PageView<LiveContent>;

export interface LiveStateOptions {
  readonly client: ManagementClient;
  readonly accountId: string;
  readonly onChange: (view: LiveView) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Reads what is live and who watches, again and again, and ends broadcasts and sessions. */
export class LiveState {
  readonly #options: LiveStateOptions;
  #view: LiveView = { name: 'loading' };
  /** The stream whose viewers are shown. */
  #selected: string | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(options: LiveStateOptions) {
    this.#options = options;
  }

  start(): void {
    void this.load();
    this.#timer = setInterval(() => {
      // Nobody looks at a hidden page.
      if (document.visibilityState === 'visible') void this.load();
    }, REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#reads += 1;
  }

  /** Shows the viewers of this stream, or of none. */
  async select(streamName: string | undefined): Promise<void> {
    this.#selected = streamName;
    await this.load();
  }

  async load(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const { client, onChange, now = Date.now } = this.#options;
    const view = await readView<LiveContent>(async () => {
      const streams = await client.streams.live();
      const selected = streams.find(({ streamName }) => streamName === this.#selected);
      return {
        streams,
        viewers: selected && (await this.#viewersOf(selected.streamName)),
        readOn: now(),
        isStale: false,
      };
    });
    if (read !== this.#reads) return;
    this.#view = view.name === 'unreachable' && this.#view.name === 'ready' ? { ...this.#view, isStale: true } : view;
    onChange(this.#view);
  }

  /** Ends the broadcast. @throws {ManagementError} */
  async stopStream(streamName: string): Promise<void> {
    await this.#options.client.streams.stop(`${this.#options.accountId}/${streamName}`);
    await this.load();
  }

  /** Disconnects one viewer. @throws {ManagementError} */
  async stopSession({ streamName, id }: SessionBody): Promise<void> {
    await this.#options.client.sessions.stop(streamName, id);
    await this.load();
  }

  async #viewersOf(streamName: string): Promise<StreamViewers> {
    const { sessions, next } = await this.#options.client.sessions.list(streamName, {
      state: 'open',
      itemsOnPage: VIEWERS_SHOWN,
    });
    return { streamName, sessions: sessions.filter(({ role }) => role === 'viewer'), hasMore: next !== null };
  }
}
