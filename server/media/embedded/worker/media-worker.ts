import { EventEmitter } from 'node:events';
import { MediaError } from '../../media-engine.js';
import { WorkerProcess } from './worker-process.js';
import type { EngineEventMessage, EngineLogEntry, WorkerPorts } from './worker-messages.js';
import type { SfuOptions } from './sfu.js';
import type { SocketDirectory } from '../relay/socket-directory.js';

export interface MediaWorkerOptions {
  readonly index: number;
  readonly sfu: SfuOptions;
  /** Undefined: there are no others. */
  readonly relayFolder: SocketDirectory | undefined;
  readonly onLog: (entry: EngineLogEntry) => void;
}

interface MediaWorkerEvents {
  news: [news: EngineEventMessage];
  /** Its process died, and everything that it knew with it. Another is started. */
  died: [];
}

const FIRST_RESTART_AFTER_MS = 100;
const LAST_RESTART_AFTER_MS = 5_000;
/** A process that lived this long has nothing to do with why the one before it died. */
const HEALTHY_AFTER_MS = 10_000;

/** One place for media: a port, and one process after another that has it, each started when the one before died. */
export class MediaWorker extends EventEmitter<MediaWorkerEvents> {
  readonly index: number;
  /** They never change. */
  readonly ports: WorkerPorts;
  readonly #options: MediaWorkerOptions;
  #child: WorkerProcess | undefined;
  #relayPath: string | undefined;
  #startedAt = 0;
  #restartAfter = FIRST_RESTART_AFTER_MS;
  #restartTimer: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;
  #closing = false;

  /** @throws {MediaError} `engine_unavailable`, saying why it does not start */
  static async start(options: MediaWorkerOptions): Promise<MediaWorker> {
    const relayPath = options.relayFolder?.newPath();
    const { child, ports } = await WorkerProcess.start(options.sfu, relayPath);
    return new MediaWorker({ ...options, sfu: { ...options.sfu, ...ports } }, child, relayPath);
  }

  private constructor(options: MediaWorkerOptions, child: WorkerProcess, relayPath: string | undefined) {
    super();
    this.index = options.index;
    const { udpPort, tcpPort } = options.sfu;
    this.ports = { udpPort, tcpPort };
    this.#options = options;
    this.#adopt(child, relayPath);
  }

  /** Of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Where the present process listens for others; undefined while there is none. */
  get relayPath(): string | undefined {
    return this.#child && this.#relayPath;
  }

  /** @throws {MediaError} the engine's own, or `engine_unavailable` */
  request: WorkerProcess['call'] = async (type, request) => {
    if (!this.#child) throw new MediaError('engine_unavailable', 'the media engine is restarting');
    return this.#child.call(type, request);
  };

  notify(request: Parameters<WorkerProcess['notify']>[0]): void {
    this.#child?.notify(request);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restartTimer);
    await this.#restarting;
    await this.#child?.close();
    this.#child = undefined;
  }

  #adopt(child: WorkerProcess, relayPath: string | undefined): void {
    this.#child = child;
    this.#relayPath = relayPath;
    this.#startedAt = Date.now();
    child.on('news', (news) => {
      if (this.#child !== child) return;
      if (news.type === 'log') this.#options.onLog({ worker: this.index, ...news.entry });
      else this.emit('news', news);
    });
    child.on('exit', (expected, how) => {
      if (!expected) this.#mourn(child, how);
    });
    const { udpPort, tcpPort } = this.ports;
    const message = 'the media engine is running';
    this.#options.onLog({ level: 'info', message, worker: this.index, udpPort, tcpPort, pid: child.pid });
  }

  #mourn(child: WorkerProcess, how: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const message = 'the media engine died and is started again';
    this.#options.onLog({ level: 'error', message, worker: this.index, how });
    if (Date.now() - this.#startedAt >= HEALTHY_AFTER_MS) this.#restartAfter = FIRST_RESTART_AFTER_MS;
    this.#restartSoon();
    this.emit('died');
  }

  #restartSoon(): void {
    this.#restartTimer = setTimeout(() => (this.#restarting = this.#restart()), this.#restartAfter);
    this.#restartAfter = Math.min(2 * this.#restartAfter, LAST_RESTART_AFTER_MS);
  }

  async #restart(): Promise<void> {
    const { sfu, relayFolder, onLog } = this.#options;
    try {
      const relayPath = relayFolder?.newPath();
      const { child } = await WorkerProcess.start(sfu, relayPath);
      if (this.#closing) await child.close();
      else this.#adopt(child, relayPath);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onLog({ level: 'error', message: 'the media engine could not be started again', worker: this.index, why });
      if (!this.#closing) this.#restartSoon();
    }
  }
}
