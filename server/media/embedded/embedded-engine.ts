import { EventEmitter } from 'node:events';
import {
  MediaError,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type PublishOptions,
  type SourceId,
  type StreamStats,
  type ViewingSession,
  type ViewOptions,
} from '../media-engine.js';
import { EngineChild, type EngineNews } from './engine-child.js';
import type { EngineLogEntry } from './engine-messages.js';
import type { SfuOptions } from './sfu.js';

export interface EmbeddedEngineOptions extends SfuOptions {
  readonly onLog?: ((entry: EngineLogEntry) => void) | undefined;
}

const FIRST_RESTART_AFTER_MS = 100;
const LAST_RESTART_AFTER_MS = 5_000;
/** A process that lived this long has nothing to do with why the one before it died. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * Starts the media engine in a process of its own, where no HTTP work can delay a packet.
 *
 * When that process dies, every session is lost (`media_engine_restarted`), live streams have ended, and a new one is
 * started on the same port; until it is there every call is refused with `engine_unavailable`.
 * @throws {MediaError} `engine_unavailable` when it does not start, saying why: the port is in use, the address is
 *   not this machine's
 */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { onLog, ...sfuOptions } = options;
  const { child, udpPort } = await EngineChild.start(sfuOptions);
  return new EmbeddedEngine(child, { ...sfuOptions, udpPort }, onLog ?? (() => {}));
}

/** The server's end of the embedded engine. */
export class EmbeddedEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  /** Where all media goes; never changes. */
  readonly udpPort: number;
  readonly #options: SfuOptions;
  readonly #log: (entry: EngineLogEntry) => void;
  readonly #sessions = new Set<string>();
  /** The sources of each stream that are live. */
  readonly #live = new Map<string, Set<SourceId>>();
  #child: EngineChild | undefined;
  #startedAt = 0;
  #restartAfter = FIRST_RESTART_AFTER_MS;
  #restartTimer: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** @internal use `createEmbeddedEngine` */
  constructor(child: EngineChild, options: SfuOptions, log: (entry: EngineLogEntry) => void) {
    super();
    this.#options = options;
    this.#log = log;
    this.udpPort = options.udpPort;
    this.#adopt(child);
  }

  /** Of the engine's process; absent while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async publish(stream: string, offer: string, options: PublishOptions = {}): Promise<MediaSession> {
    const published = await this.#running().call('published', { type: 'publish', stream, offer, options });
    return this.#session(published.session, published.answer);
  }

  async view(stream: string, offer: string, options: ViewOptions = {}): Promise<ViewingSession> {
    const viewing = await this.#running().call('viewing', { type: 'view', stream, offer, options });
    const { session, answer, mids } = viewing;
    const act = async (call: Parameters<EngineChild['call']>[1]) => void (await this.#running().call('done', call));
    return {
      ...this.#session(session, answer),
      mids,
      select: (layer) => act({ type: 'select', session, layer }),
      project: (sourceId, projections) => act({ type: 'project', session, sourceId, projections }),
      unproject: (mediaIds) => act({ type: 'unproject', session, mediaIds }),
    };
  }

  async stats(stream: string): Promise<StreamStats> {
    return (await this.#running().call('stats', { type: 'stats', stream })).stats;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    clearTimeout(this.#restartTimer);
    await this.#restarting;
    await this.#child?.close();
    this.#child = undefined;
    this.#sessions.clear();
    this.#endAll();
  }

  #running(): EngineChild {
    if (this.#closing) throw unavailable('the media engine is closed');
    if (!this.#child) throw unavailable('the media engine is restarting');
    return this.#child;
  }

  #session(id: string, answer: string): MediaSession {
    this.#sessions.add(id);
    return {
      id,
      answer,
      renew: async (offer) => (await this.#running().call('renewed', { type: 'renew', session: id, offer })).answer,
      close: () => {
        if (this.#sessions.delete(id)) this.#child?.tell({ type: 'close-session', session: id });
      },
    };
  }

  #adopt(child: EngineChild): void {
    this.#child = child;
    this.#startedAt = Date.now();
    child.on('news', (news) => {
      if (this.#child === child) this.#hear(news);
    });
    child.on('exit', (expected, how) => {
      if (!expected) this.#mourn(child, how);
    });
    this.#log({ level: 'info', message: 'the media engine is running', udpPort: this.udpPort, pid: child.pid });
  }

  #hear(news: EngineNews): void {
    if (news.type === 'log') return this.#log(news.entry);
    if (news.type === 'session-lost' && !this.#sessions.delete(news.event[0])) return;
    if (news.type === 'live') this.#noteLive(news.event[0], news.event[1]);
    if (news.type === 'ended') this.#live.get(news.event[0])?.delete(news.event[1]);
    this.emit(news.type, ...news.event);
  }

  #noteLive(stream: string, source: SourceId): void {
    const sources = this.#live.get(stream) ?? new Set();
    this.#live.set(stream, sources.add(source));
  }

  /** Everything the process knew is gone with it. */
  #mourn(child: EngineChild, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#log({ level: 'error', message: 'the media engine died and is started again', how });
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    if (Date.now() - this.#startedAt >= HEALTHY_AFTER_MS) this.#restartAfter = FIRST_RESTART_AFTER_MS;
    this.#restartSoon();
    for (const session of sessions) this.emit('session-lost', session, 'media_engine_restarted');
    this.#endAll();
  }

  #endAll(): void {
    const live = [...this.#live];
    this.#live.clear();
    for (const [stream, sources] of live) for (const source of sources) this.emit('ended', stream, source);
  }

  #restartSoon(): void {
    this.#restartTimer = setTimeout(() => (this.#restarting = this.#restart()), this.#restartAfter);
    this.#restartAfter = Math.min(2 * this.#restartAfter, LAST_RESTART_AFTER_MS);
  }

  async #restart(): Promise<void> {
    try {
      const { child } = await EngineChild.start(this.#options);
      if (this.#closing) await child.close();
      else this.#adopt(child);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log({ level: 'error', message: 'the media engine could not be started again', why });
      if (!this.#closing) this.#restartSoon();
    }
  }
}

const unavailable = (message: string): MediaError => new MediaError('engine_unavailable', message);
