import { contain } from '../../../faults/contain.js';
import { reportFault } from '../../../faults/fault.js';
import { Emitter } from '../../../faults/emitter.js';
import { after } from '../../../faults/timers.js';
import { MediaError } from '../../engine/media-error.js';
import type { MediaProcessFigures } from '../../engine/media-figures.js';
import type { Sandbox } from '../../../process-sandbox.js';
import type { SocketDirectory } from '../relay/socket-directory.js';
import type { LoadedLibrary } from '../transport/webrtc-library.js';
import type { SfuOptions } from './sfu.js';
import type { EngineLogEntry } from './engine-log-entry.js';
import type { EngineEventMessage, WorkerPorts } from './worker-messages.js';
import { WorkerProcess, type StartedWorker } from './worker-process.js';

export interface MediaWorkerOptions {
  readonly index: number;
  readonly sfu: SfuOptions;
  readonly relaySockets: SocketDirectory;
  /** Undefined: none. */
  readonly sandbox: Sandbox | undefined;
  readonly onLog: (entry: EngineLogEntry) => void;
}

interface MediaWorkerEvents {
  event: [message: EngineEventMessage];
  /** The process died with all its sessions, and is being restarted. */
  exit: [];
}

const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
/** If a process lived for this long, its death has another cause than the one before. */
const HEALTHY_AFTER_MS = 10_000;

/** A worker: fixed ports, and a process that is restarted when it dies. */
export class MediaWorker extends Emitter<MediaWorkerEvents> {
  readonly index: number;
  /** The same for all processes of this worker. */
  readonly ports: WorkerPorts;
  /** Of the first process. */
  readonly library: LoadedLibrary;
  readonly #options: MediaWorkerOptions;
  #process: WorkerProcess | undefined;
  #relayPath: string | undefined;
  #publishUntil: number | undefined;
  #startedAt = 0;
  #endedAt = 0;
  #figures: MediaProcessFigures | undefined;
  #restartDelay = MIN_RESTART_DELAY_MS;
  #restartTimer: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;
  #closing = false;

  /** @throws {MediaError} `engine_unavailable` if it cannot start, with the reason */
  static async start(options: MediaWorkerOptions): Promise<MediaWorker> {
    const relayPath = options.relaySockets.newPath();
    const { sfu, sandbox } = options;
    const { process, ports, library } = await WorkerProcess.start({ sfu, relayPath, sandbox });
    return new MediaWorker({ ...options, sfu: { ...sfu, ...ports } }, { process, library }, relayPath);
  }

  private constructor(
    options: MediaWorkerOptions,
    { process, library }: Pick<StartedWorker, 'process' | 'library'>,
    relayPath: string,
  ) {
    super('media');
    this.library = library;
    this.index = options.index;
    const { udpPort, tcpPort } = options.sfu;
    this.ports = { udpPort, tcpPort };
    this.#options = options;
    this.#setProcess(process, relayPath);
  }

  /** That it receives packets at. Undefined: all of this machine. */
  get address(): string | undefined {
    return this.#options.sfu.bindAddress;
  }

  /** Undefined while no process is running. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Since when no process runs or the process does not answer, in milliseconds since 1970. Undefined: all is well. */
  get stoppedSince(): number | undefined {
    return this.#process ? this.#process.silentSince : this.#endedAt;
  }

  /** Where the current process accepts relay connections; undefined while no process is running. */
  get relayPath(): string | undefined {
    return this.#process && this.#relayPath;
  }

  /** As the current process last reported them. Undefined: it did not, or no process is running. */
  get figures(): MediaProcessFigures | undefined {
    return this.#figures;
  }

  /** @throws {MediaError} the engine's own, or `engine_unavailable` */
  request: WorkerProcess['request'] = async (type, request) => {
    if (!this.#process) throw new MediaError('engine_unavailable', 'the media engine is restarting');
    return this.#process.request(type, request);
  };

  notify(message: Parameters<WorkerProcess['notify']>[0]): void {
    this.#process?.notify(message);
  }

  /** See `MediaEngine.publishUntil`. It holds for later processes as well. */
  publishUntil(time: number): void {
    this.#publishUntil = time;
    this.notify({ type: 'publish-until', time });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restartTimer);
    await this.#restarting;
    await this.#process?.close();
    this.#process = undefined;
  }

  #setProcess(process: WorkerProcess, relayPath: string): void {
    this.#process = process;
    this.#relayPath = relayPath;
    this.#startedAt = Date.now();
    if (this.#publishUntil !== undefined) this.publishUntil(this.#publishUntil);
    process.on(
      'notification',
      contain('media', (notification) => {
        // Its last one arrives when it has ended.
        if (notification.type === 'fault') return reportFault('media_process', notification.text, notification);
        if (this.#process !== process) return;
        if (notification.type === 'log') this.#options.onLog({ worker: this.index, ...notification.entry });
        else if (notification.type === 'figures') this.#figures = { worker: this.index, ...notification.figures };
        else this.emit('event', notification);
      }),
    );
    process.on(
      'exit',
      contain('media', (expected, how) => {
        if (!expected) this.#onExit(process, how);
      }),
    );
    const { udpPort, tcpPort } = this.ports;
    const message = 'the media engine is running';
    this.#options.onLog({ level: 'info', message, worker: this.index, udpPort, tcpPort, pid: process.pid });
  }

  #onExit(process: WorkerProcess, how: string): void {
    if (this.#process !== process) return;
    this.#process = this.#figures = undefined;
    this.#endedAt = Date.now();
    const message = 'the media engine died and is started again';
    this.#options.onLog({ level: 'error', message, worker: this.index, how });
    if (Date.now() - this.#startedAt >= HEALTHY_AFTER_MS) this.#restartDelay = MIN_RESTART_DELAY_MS;
    this.#scheduleRestart();
    this.emit('exit');
  }

  #scheduleRestart(): void {
    this.#restartTimer = after('media', this.#restartDelay, () => (this.#restarting = this.#restart()));
    this.#restartDelay = Math.min(2 * this.#restartDelay, MAX_RESTART_DELAY_MS);
  }

  async #restart(): Promise<void> {
    const { sfu, relaySockets, sandbox, onLog } = this.#options;
    try {
      const relayPath = relaySockets.newPath();
      const { process } = await WorkerProcess.start({ sfu, relayPath, sandbox });
      if (this.#closing) await process.close();
      else this.#setProcess(process, relayPath);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onLog({ level: 'error', message: 'the media engine could not be started again', worker: this.index, why });
      if (!this.#closing) this.#scheduleRestart();
    }
  }
}
