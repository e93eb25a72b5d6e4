import type { ManagementClient } from '../../../management/management-client.js';
import type { AccountLimitsBody } from '../../../wire/management/account-limits.js';
import type { LiveStreamBody } from '../../../wire/management/live-stream.js';
import type { SessionBody } from '../../../wire/management/session.js';
import { streamIdOf } from '../../../wire/stream-id.js';
import { readView, type PageView } from '../page-view.js';
import { kindOf, type BlockableSession, type SessionsFrom } from './block-question.js';

export const REFRESH_MS = 5_000;
/** The most viewers that the page lists. */
const VIEWERS_SHOWN = 100;
/** The most pages of sessions that are read to count those from an address. */
const PAGES_COUNTED = 10;

/** The open sessions of one stream. */
export interface StreamConnections {
  readonly streamName: string;
  readonly publishers: readonly SessionBody[];
  readonly viewers: readonly SessionBody[];
  /** There are more viewers than the page lists. */
  readonly hasMore: boolean;
}

export type LiveSource = LiveStreamBody['sources'][number];

export interface LiveContent {
  /** By name. */
  readonly streams: readonly LiveStreamBody[];
  readonly connections: StreamConnections | undefined;
  /** Undefined: not known. */
  readonly limits: AccountLimitsBody | undefined;
  /** Milliseconds since 1970. */
  readonly readOn: number;
  /** Whether the server could not be asked again since. */
  readonly isStale: boolean;
}

export type LiveView = PageView<LiveContent>;

export interface LiveStateOptions {
  readonly client: ManagementClient;
  readonly accountId: string;
  /** Whether the person may see the limits of the account. */
  readonly mayReadLimits: boolean;
  readonly onChange: (view: LiveView) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Reads what is live and who is connected, again and again, ends broadcasts and sessions, and blocks addresses. */
export class LiveState {
  readonly #options: LiveStateOptions;
  #view: LiveView = { name: 'loading' };
  /** The stream whose connections are shown. */
  #selected: string | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(options: LiveStateOptions) {
    this.#options = options;
  }

  /** Reads again and again. The first read is that of `select` or `load`. */
  start(): void {
    this.#timer = setInterval(() => {
      // Nobody looks at a hidden page.
      if (document.visibilityState === 'visible') void this.load();
    }, REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#reads += 1;
  }

  /** Shows who is connected to this stream, or to none. */
  async select(streamName: string | undefined): Promise<void> {
    this.#selected = streamName;
    await this.load();
  }

  async load(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const { client, mayReadLimits, onChange, now = Date.now } = this.#options;
    const view = await readView<LiveContent>(async () => {
      const [streams, limits] = await Promise.all([
        client.streams.live(),
        mayReadLimits ? client.limits.get() : undefined,
      ]);
      const selected = streams.find(({ streamName }) => streamName === this.#selected);
      return {
        streams,
        limits,
        connections: selected && (await this.#connectionsOf(selected)),
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
    await this.#options.client.streams.stop(streamIdOf(this.#options.accountId, streamName));
    await this.load();
  }

  /** Records a source from now on, or stops. @throws {ManagementError} */
  async switchRecording(streamName: string, sourceId: string | null, isOn: boolean): Promise<void> {
    await this.#options.client.recordings.recordStream(streamName, isOn, sourceId);
    await this.load();
  }

  /** Keeps the last seconds of a source that is recorded. @throws {ManagementError} */
  async clip(streamName: string, sourceId: string | null, seconds: number): Promise<void> {
    await this.#options.client.recordings.createClip(streamName, { seconds, sourceId });
  }

  /** Disconnects one viewer. @throws {ManagementError} */
  async stopSession({ streamName, id }: SessionBody): Promise<void> {
    await this.#options.client.sessions.stop(streamName, id);
    await this.load();
  }

  /** Denies the address of a session on its token, which ends its sessions from there. @throws {ManagementError} */
  async blockAddress(session: BlockableSession): Promise<void> {
    const { publishTokens, subscribeTokens } = this.#options.client;
    const tokens = kindOf(session) === 'publish' ? publishTokens : subscribeTokens;
    await tokens.blockAddress(session.tokenId, session.address);
    await this.load();
  }

  /** Counts the open sessions of the same stream, token and address. Undefined: the server did not tell. */
  async sessionsFrom({ streamName, tokenId, address }: BlockableSession): Promise<SessionsFrom | undefined> {
    let count = 0;
    let cursor: string | undefined;
    try {
      for (let page = 0; page < PAGES_COUNTED; page += 1) {
        const { sessions, next } = await this.#options.client.sessions.list(streamName, {
          state: 'open',
          tokenId,
          cursor,
        });
        count += sessions.filter((session) => session.address === address).length;
        if (next === null) return { count, isAll: true };
        cursor = next;
      }
      return { count, isAll: false };
    } catch {
      return undefined;
    }
  }

  /** Publishers are asked for by their tokens, because many viewers may have come after them. */
  async #connectionsOf({ streamName, sources }: LiveStreamBody): Promise<StreamConnections> {
    const { sessions } = this.#options.client;
    const tokenIds = [...new Set(sources.map(({ tokenId }) => tokenId))];
    const [newest, ...published] = await Promise.all([
      sessions.list(streamName, { state: 'open', itemsOnPage: VIEWERS_SHOWN }),
      ...tokenIds.map((tokenId) => sessions.list(streamName, { state: 'open', tokenId })),
    ]);
    return {
      streamName,
      publishers: published.flatMap((page) => page.sessions.filter(({ role }) => role === 'publisher')),
      viewers: newest.sessions.filter(({ role }) => role === 'viewer'),
      hasMore: newest.next !== null,
    };
  }
}
