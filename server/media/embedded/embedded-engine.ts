import { EventEmitter } from 'node:events';
import {
  MediaError,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type PublishOptions,
  type StreamStats,
} from '../media-engine.js';
import { EngineChild, type EngineNews, type UnnumberedCall } from './engine-child.js';
import type { EngineLogEntry, EngineResult } from './engine-messages.js';
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
  readonly #live = new Set<string>();
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

  async publish(stream: string, offer: string, { codec }: PublishOptions = {}): Promise<MediaSession> {
    return this.#session(await this.#call({ type: 'publish', stream, offer, codec }));
  }

  async view(stream: string, offer: string): Promise<MediaSession> {
    return this.#session(await this.#call({ type: 'view', stream, offer }));
  }

  async stats(stream: string): Promise<StreamStats> {
    const result = await this.#call({ type: 'stats', stream });
    if (result.type !== 'stats') throw unavailable('the media engine answered something else');
    return result.stats;
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

  async #call(request: UnnumberedCall): Promise<EngineResult> {
    if (this.#closing) throw unavailable('the media engine is closed');
    if (!this.#child) throw unavailable('the media engine is restarting');
    return this.#child.call(request);
  }

  #session(result: EngineResult): MediaSession {
    if (result.type !== 'session') throw unavailable('the media engine answered something else');
    const { session: id, answer } = result;
    this.#sessions.add(id);
    const close = () => {
      if (this.#sessions.delete(id)) this.#child?.tell({ type: 'close-session', session: id });
    };
    return { id, answer, close };
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
    switch (news.type) {
      case 'log':
        this.#log(news.entry);
        return;
      case 'live':
        this.#live.add(news.event[0]);
        this.emit('live', ...news.event);
        return;
      case 'ended':
        this.#live.delete(news.event[0]);
        this.emit('ended', ...news.event);
        return;
      case 'session-lost':
        if (this.#sessions.delete(news.event[0])) this.emit('session-lost', ...news.event);
    }
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
    for (const stream of live) this.emit('ended', stream);
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
