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
  /** See `WorkerProcessOptions`. */
  readonly pingEveryMs?: number | undefined;
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

/** What a worker is doing. Times are in milliseconds since 1970. */
type WorkerState =
  | RunningState
  /** Its process died, and the next one starts after a pause. */
  | { readonly name: 'waiting'; readonly since: number; readonly timer: NodeJS.Timeout }
  | { readonly name: 'starting'; readonly since: number; readonly ended: Promise<void> }
  /** For good. Its last process answers until it has ended. */
  | { readonly name: 'closed'; readonly since: number; process: WorkerProcess | undefined };

interface RunningState {
  readonly name: 'running';
  readonly since: number;
  readonly process: WorkerProcess;
  /** Where the process accepts relay connections. */
  readonly relayPath: string;
  /** As the process last reported them. */
  figures: MediaProcessFigures | undefined;
}

const NEXT: Readonly<Record<WorkerState['name'], readonly WorkerState['name'][]>> = {
  running: ['waiting', 'closed'],
  waiting: ['starting', 'closed'],
  starting: ['running', 'waiting', 'closed'],
  closed: [],
};

/** A worker: fixed ports, and a process that is restarted when it dies. */
export class MediaWorker extends Emitter<MediaWorkerEvents> {
  readonly index: number;
  /** The same for all processes of this worker. */
  readonly ports: WorkerPorts;
  /** Of the first process. */
  readonly library: LoadedLibrary;
  readonly #options: MediaWorkerOptions;
  #state: WorkerState = { name: 'starting', since: Date.now(), ended: Promise.resolve() };
  #publishUntil: number | undefined;
  #overloadedOn: number | undefined;
  #restartDelay = MIN_RESTART_DELAY_MS;

  /** @throws {MediaError} `engine_unavailable` if it cannot start, with the reason */
  static async start(options: MediaWorkerOptions): Promise<MediaWorker> {
    const relayPath = options.relaySockets.newPath();
    const { sfu, sandbox, pingEveryMs } = options;
    const { process, ports, library } = await WorkerProcess.start({ sfu, relayPath, sandbox, pingEveryMs });
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
    this.#run(process, relayPath);
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
    const state = this.#state;
    return state.name === 'running' ? state.process.silentSince : state.since;
  }

  /** Where the current process accepts relay connections; undefined while no process is running. */
  get relayPath(): string | undefined {
    return this.#running?.relayPath;
  }

  /** As the current process last reported them. Undefined: it did not, or no process is running. */
  get figures(): MediaProcessFigures | undefined {
    return this.#running?.figures;
  }

  /** When a process last reported that it sends less because of its load, in milliseconds since 1970. */
  get overloadedOn(): number | undefined {
    return this.#overloadedOn;
  }

  /** @throws {MediaError} the engine's own, or `engine_unavailable` */
  request: WorkerProcess['request'] = async (type, request) => {
    const process = this.#process;
    if (!process) throw new MediaError('engine_unavailable', 'the media engine is restarting');
    return process.request(type, request);
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
    const before = this.#state;
    const closed: WorkerState = { name: 'closed', since: Date.now(), process: this.#process };
    this.#become(closed);
    if (before.name === 'waiting') clearTimeout(before.timer);
    if (before.name === 'starting') await before.ended;
    await closed.process?.close();
    closed.process = undefined;
  }

  get #running(): RunningState | undefined {
    return this.#state.name === 'running' ? this.#state : undefined;
  }

  get #process(): WorkerProcess | undefined {
    return 'process' in this.#state ? this.#state.process : undefined;
  }

  /** @returns false if the worker is not where `next` follows */
  #become(next: WorkerState): boolean {
    if (!NEXT[this.#state.name].includes(next.name)) return false;
    this.#state = next;
    return true;
  }

  /** @returns false if the worker was closed meanwhile */
  #run(process: WorkerProcess, relayPath: string): boolean {
    const running: RunningState = { name: 'running', since: Date.now(), process, relayPath, figures: undefined };
    if (!this.#become(running)) return false;
    if (this.#publishUntil !== undefined) this.publishUntil(this.#publishUntil);
    process.on(
      'notification',
      contain('media', (notification) => {
        // Its last one arrives when it has ended.
        if (notification.type === 'fault') return reportFault('media_process', notification.text, notification);
        if (this.#process !== process) return;
        if (notification.type === 'log') this.#options.onLog({ worker: this.index, ...notification.entry });
        else if (notification.type === 'figures') {
          running.figures = { worker: this.index, ...notification.figures };
          if (running.figures.loadDegree > 0) this.#overloadedOn = Date.now();
        } else this.emit('event', notification);
      }),
    );
    process.on(
      'exit',
      contain('media', (expected, how) => {
        if (!expected && this.#state === running) this.#died(running, how);
      }),
    );
    const { udpPort, tcpPort } = this.ports;
    const message = 'the media engine is running';
    this.#options.onLog({ level: 'info', message, worker: this.index, udpPort, tcpPort, pid: process.pid });
    return true;
  }

  #died({ since }: RunningState, how: string): void {
    const message = 'the media engine died and is started again';
    this.#options.onLog({ level: 'error', message, worker: this.index, how });
    if (Date.now() - since >= HEALTHY_AFTER_MS) this.#restartDelay = MIN_RESTART_DELAY_MS;
    this.#wait(Date.now());
    this.emit('exit');
  }

  /** @param since when the last process ended */
  #wait(since: number): void {
    const timer = after('media', this.#restartDelay, () => {
      // In the next microtask, when the worker is starting.
      const ended = Promise.resolve().then(() => this.#restart(since));
      this.#become({ name: 'starting', since, ended });
    });
    if (this.#become({ name: 'waiting', since, timer })) {
      this.#restartDelay = Math.min(2 * this.#restartDelay, MAX_RESTART_DELAY_MS);
    } else {
      clearTimeout(timer);
    }
  }

  /** Never rejects. */
  async #restart(since: number): Promise<void> {
    const { sfu, relaySockets, sandbox, pingEveryMs, onLog } = this.#options;
    try {
      const relayPath = relaySockets.newPath();
      const { process } = await WorkerProcess.start({ sfu, relayPath, sandbox, pingEveryMs });
      if (!this.#run(process, relayPath)) await process.close();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onLog({ level: 'error', message: 'the media engine could not be started again', worker: this.index, why });
      this.#wait(since);
    }
  }
}
