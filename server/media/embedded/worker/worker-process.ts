import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MediaError } from '../../media-engine.js';
import type {
  WorkerRequest,
  EngineEventMessage,
  WorkerPorts,
  MessageFromWorker,
  MessageToWorker,
  WorkerResponse,
} from './worker-messages.js';
import type { SfuOptions } from './sfu.js';
import { Heartbeat } from './heartbeat.js';

/** The same without its number, which is ours to give. */
export type RequestWithoutId = WorkerRequest extends infer Call
  ? Call extends WorkerRequest
    ? Omit<Call, 'call'>
    : never
  : never;
/** What it says of its own accord. */
export type WorkerNotification = EngineEventMessage | Extract<MessageFromWorker, { type: 'log' }>;

type ResultType = Exclude<WorkerResponse['type'], 'refused'>;
type ResultOf<Type extends ResultType> = Extract<WorkerResponse, { type: Type }>;

interface EngineChildEvents {
  news: [news: WorkerNotification];
  /** The process is gone. `expected`: by our `close()`. */
  exit: [expected: boolean, how: string];
}

interface PendingCall {
  resolve(result: WorkerResponse): void;
  reject(error: MediaError): void;
  readonly timer: NodeJS.Timeout;
}

const START_WITHIN_MS = 15_000;
/** A call that takes this long will never be answered: the process hangs, and is put to an end. */
const ANSWER_WITHIN_MS = 15_000;
const CLOSE_WITHIN_MS = 3_000;

/** TypeScript when run from sources, JavaScript when compiled: whatever this file is. */
const PROCESS_FILE = fileURLToPath(new URL(`worker-main${extname(import.meta.filename)}`, import.meta.url));
/**
 * Of this process's flags those that say how to load code. Any other is its own business: a debugger's port, a test
 * runner, or `--eval`, whose script would run again in the child and start another engine, and so on without end.
 */
const LOADING_FLAG = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(=|$)/;

function loadingFlags(flags: readonly string[]): string[] {
  return flags.filter((flag, index) => {
    // `--import tsx` is two arguments, `--import=tsx` one.
    const before = flags[index - 1] ?? '';
    return LOADING_FLAG.test(flag) || (!before.includes('=') && LOADING_FLAG.test(before));
  });
}

/** One life of the engine's process. */
export class WorkerProcess extends EventEmitter<EngineChildEvents> {
  readonly #process: ChildProcess;
  readonly #calls = new Map<number, PendingCall>();
  #lastCall = 0;
  #closing = false;
  readonly #gone: Promise<void>;
  readonly #heartbeat = new Heartbeat({
    ping: () => this.notify({ type: 'ping' }),
    onSilent: () => this.#endHanging('it has not answered for a while'),
  });

  /** @throws {MediaError} `engine_unavailable`, saying why it does not start */
  static async start(
    options: SfuOptions,
    relayPath: string | undefined,
  ): Promise<{ child: WorkerProcess; ports: WorkerPorts }> {
    const child = new WorkerProcess();
    try {
      const ports = await child.#start(options, relayPath);
      child.#heartbeat.start();
      return { child, ports };
    } catch (error) {
      child.#process.kill('SIGKILL');
      throw error;
    }
  }

  private constructor() {
    super();
    this.#process = fork(PROCESS_FILE, {
      execArgv: loadingFlags(process.execArgv),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let markGone: () => void;
    this.#gone = new Promise((resolve) => (markGone = resolve));
    this.#process.on('message', (report: MessageFromWorker) => this.#hear(report));
    // A channel that breaks is followed by `exit`, which says all.
    this.#process.on('error', () => {});
    this.#process.on('exit', (code, signal) => {
      this.#heartbeat.stop();
      for (const number of this.#calls.keys()) this.#refuse(number, 'the media engine went away');
      markGone();
      this.emit('exit', this.#closing, signal ?? `code ${code}`);
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * @param type what the answer is to be
   * @throws {MediaError} the engine's own, or `engine_unavailable` when it is gone or hangs
   */
  async call<Type extends ResultType>(type: Type, request: RequestWithoutId): Promise<ResultOf<Type>> {
    const call = ++this.#lastCall;
    const result = await new Promise<WorkerResponse>((resolve, reject) => {
      const timer = setTimeout(() => this.#endHanging('a call was not answered'), ANSWER_WITHIN_MS);
      this.#calls.set(call, { resolve, reject, timer });
      if (!this.notify({ ...request, call })) this.#refuse(call, 'the media engine is not running');
    });
    if (result.type !== type) throw new MediaError('engine_unavailable', 'the media engine answered something else');
    return result as ResultOf<Type>;
  }

  /** False when nobody hears it any more. */
  notify(request: MessageToWorker): boolean {
    if (!this.#process.connected) return false;
    this.#process.send(request);
    return true;
  }

  /** Done when the process is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#heartbeat.stop();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), CLOSE_WITHIN_MS);
    this.notify({ type: 'close' });
    await this.#gone;
    clearTimeout(timer);
  }

  #start(options: SfuOptions, relayPath: string | undefined): Promise<WorkerPorts> {
    const failed = (message: string) =>
      new MediaError('engine_unavailable', `the media engine did not start: ${message}`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(failed('its process says nothing')), START_WITHIN_MS);
      const done = () => {
        clearTimeout(timer);
        this.#process.off('message', onMessage);
        this.#process.off('exit', onExit);
      };
      const onMessage = (report: MessageFromWorker) => {
        if (report.type !== 'ready' && report.type !== 'not-started') return;
        done();
        if (report.type === 'ready') resolve(report.ports);
        else reject(failed(report.message));
      };
      const onExit = () => {
        done();
        reject(failed('its process ended'));
      };
      this.#process.on('message', onMessage);
      this.#process.on('exit', onExit);
      this.notify({ type: 'start', options, relayPath });
    });
  }

  /** A process that was stopped ignores every other signal. What it had is lost, and `exit` says so. */
  #endHanging(why: string): void {
    const entry = { level: 'error', message: 'the media engine hangs and is killed', pid: this.pid, why } as const;
    this.emit('news', { type: 'log', entry });
    this.#process.kill('SIGKILL');
  }

  #hear(report: MessageFromWorker): void {
    this.#heartbeat.received();
    switch (report.type) {
      case 'pong':
      case 'ready':
      case 'not-started':
        return;
      case 'published':
      case 'viewing':
      case 'stats':
      case 'renewed':
      case 'done':
        this.#settle(report.call)?.resolve(report);
        return;
      case 'refused':
        this.#settle(report.call)?.reject(new MediaError(report.code, report.message));
        return;
      default:
        // After whoever awaits a result that came just before: news may be of the session it is about.
        setImmediate(() => this.emit('news', report));
    }
  }

  #refuse(call: number, message: string): void {
    this.#settle(call)?.reject(new MediaError('engine_unavailable', message));
  }

  #settle(call: number): PendingCall | undefined {
    const pending = this.#calls.get(call);
    this.#calls.delete(call);
    clearTimeout(pending?.timer);
    return pending;
  }
}
