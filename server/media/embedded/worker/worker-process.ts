import type { ChildProcess } from 'node:child_process';
import { forkModule, killChild, moduleBeside } from '../../../child-process.js';
import { contain } from '../../../faults/contain.js';
import { Emitter } from '../../../faults/emitter.js';
import { after } from '../../../faults/timers.js';
import type { Sandbox } from '../../../process-sandbox.js';
import { MediaError } from '../../engine/media-error.js';
import type { LoadedLibrary } from '../transport/webrtc-library.js';
import { Heartbeat } from './heartbeat.js';
import type { SfuOptions } from './sfu.js';
import type {
  MessageFromWorker,
  MessageToWorker,
  RequestWithoutId,
  ResponseOf,
  ResponseType,
  WorkerNotification,
  WorkerPorts,
  WorkerResponse,
} from './worker-messages.js';

export interface StartedWorker {
  readonly process: WorkerProcess;
  readonly ports: WorkerPorts;
  readonly library: LoadedLibrary;
}

interface WorkerProcessEvents {
  notification: [notification: WorkerNotification];
  /** The process is gone. `expected`: because of `close()`. */
  exit: [expected: boolean, how: string];
}

interface PendingRequest {
  resolve(response: WorkerResponse): void;
  reject(error: MediaError): void;
  readonly timer: NodeJS.Timeout;
}

const START_TIMEOUT_MS = 15_000;
/** Whoever waits for a slow process gives up after this time. The process is killed only if it is silent. */
const RESPONSE_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * What a packet needs is garbage at once, so a small young generation is collected as fast as the default one of 16 MB.
 * The process then has 180 kB for each of 400 viewers instead of 226 (`npm run bench -- forwarding`), and takes as much
 * CPU time.
 */
const MEMORY_FLAGS = ['--max-semi-space-size=4'];

/**
 * For glibc, which returns only the end of its heap to the system, and what has a mapping of its own. libjuice has
 * 68,240 bytes for each peer: a mapping each gives them back when the peer goes. A larger step of the heap would have
 * room for a peer. What libuv reads into (64 KiB) stays in the heap, because a mapping costs time. A process that has
 * had 500 peers keeps 13 MB instead of 38.
 */
const MEMORY_SETTINGS = {
  MALLOC_MMAP_THRESHOLD_: '66560',
  MALLOC_TOP_PAD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '1048576',
} as const;

const WORKER_FILE = moduleBeside('worker-main', import.meta);

export interface WorkerProcessOptions {
  readonly sfu: SfuOptions;
  /** Where the process accepts relay connections. */
  readonly relayPath: string;
  /** Undefined: the process may do everything that this process may do. */
  readonly sandbox: Sandbox | undefined;
  readonly responseTimeoutMs?: number | undefined;
  /** Of the heartbeat. Absent: as usual. */
  readonly pingEveryMs?: number | undefined;
}

/** One run of a worker's process, and the messages with it. */
export class WorkerProcess extends Emitter<WorkerProcessEvents> {
  readonly #process: ChildProcess;
  readonly #responseTimeoutMs: number;
  /** By request id. */
  readonly #pending = new Map<number, PendingRequest>();
  #lastRequestId = 0;
  #closing = false;
  readonly #exited: Promise<void>;
  readonly #heartbeat: Heartbeat;

  /** @throws {MediaError} `engine_unavailable` if it cannot start, with the reason */
  static async start(options: WorkerProcessOptions): Promise<StartedWorker> {
    const worker = new WorkerProcess(options);
    try {
      const { ports, library } = await worker.#start(options);
      worker.#heartbeat.start();
      return { process: worker, ports, library };
    } catch (error) {
      killChild(worker.#process);
      throw error;
    }
  }

  private constructor({ sandbox, responseTimeoutMs = RESPONSE_TIMEOUT_MS, pingEveryMs }: WorkerProcessOptions) {
    super('media');
    this.#heartbeat = new Heartbeat({
      ping: () => this.notify({ type: 'ping' }),
      onSilent: () => this.#killHanging(),
      everyMs: pingEveryMs,
    });
    this.#responseTimeoutMs = responseTimeoutMs;
    this.#process = forkWorker(sandbox);
    let resolveExited: () => void;
    this.#exited = new Promise((resolve) => (resolveExited = resolve));
    this.#process.on(
      'message',
      contain('media', (message: MessageFromWorker) => this.#onMessage(message)),
    );
    const onEnded = (how: string): void => {
      this.#heartbeat.stop();
      for (const id of this.#pending.keys()) this.#reject(id, 'the media engine went away');
      resolveExited();
      this.emit('exit', this.#closing, how);
    };
    this.#process.on(
      'exit',
      contain('media', (code, signal) => onEnded(signal ?? `code ${code}`)),
    );
    // A broken channel is followed by `exit`. Nothing follows if there was never a process.
    this.#process.on(
      'error',
      contain('media', ({ message }) => {
        if (this.pid === undefined) onEnded(message);
      }),
    );
  }

  /** Since when the process has not answered, in milliseconds since 1970. Undefined: it answers. */
  get silentSince(): number | undefined {
    return this.#heartbeat.silentSince;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * @param type of the expected response
   * @throws {MediaError} the engine's own, or `engine_unavailable` if the process is gone or too slow
   */
  async request<Type extends ResponseType>(type: Type, request: RequestWithoutId): Promise<ResponseOf<Type>> {
    const requestId = ++this.#lastRequestId;
    const response = await new Promise<WorkerResponse>((resolve, reject) => {
      const giveUp = () => this.#reject(requestId, 'the media engine is overloaded: try again later');
      const timer = setTimeout(giveUp, this.#responseTimeoutMs);
      this.#pending.set(requestId, { resolve, reject, timer });
      if (!this.notify({ ...request, requestId })) this.#reject(requestId, 'the media engine is not running');
    });
    if (response.type !== type) {
      throw new MediaError('engine_unavailable', 'the media engine sent an unexpected response');
    }
    return response as ResponseOf<Type>;
  }

  /** @returns false if the process cannot receive messages any more */
  notify(message: MessageToWorker): boolean {
    if (!this.#process.connected) return false;
    this.#process.send(message);
    return true;
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#heartbeat.stop();
    const timer = setTimeout(() => killChild(this.#process), CLOSE_TIMEOUT_MS);
    this.notify({ type: 'close' });
    await this.#exited;
    clearTimeout(timer);
  }

  #start({ sfu: options, relayPath }: WorkerProcessOptions): Promise<Omit<StartedWorker, 'process'>> {
    return new Promise((resolve, reject) => {
      const timer = after('media', START_TIMEOUT_MS, () => reject(notStarted('its process does not respond')));
      const done = () => {
        clearTimeout(timer);
        this.#process.off('message', onMessage);
        this.off('exit', onExit);
      };
      const onMessage = contain('media', (message: MessageFromWorker) => {
        if (message.type !== 'ready' && message.type !== 'not-started') return;
        done();
        if (message.type === 'ready') resolve({ ports: message.ports, library: message.library });
        else reject(notStarted(message.message));
      });
      const onExit = contain('media', (_expected: boolean, how: string) => {
        done();
        reject(notStarted(this.pid === undefined ? how : 'its process ended'));
      });
      this.#process.on('message', onMessage);
      this.on('exit', onExit);
      this.notify({ type: 'start', options, relayPath });
    });
  }

  /** SIGKILL, because a stopped process ignores every other signal. `exit` follows. */
  #killHanging(): void {
    const entry = { level: 'error', message: 'the media engine hangs and is killed', pid: this.pid } as const;
    this.emit('notification', { type: 'log', entry });
    killChild(this.#process);
  }

  #onMessage(message: MessageFromWorker): void {
    this.#heartbeat.received();
    switch (message.type) {
      case 'pong':
      case 'ready':
      case 'not-started':
        return;
      case 'published':
      case 'viewing':
      case 'stats':
      case 'deliveries':
      case 'keyframe':
      case 'relay-answer':
      case 'relay-offered':
      case 'renewed':
      case 'done':
        this.#onResponse(message);
        return;
      case 'refused':
        this.#takePending(message.requestId)?.reject(new MediaError(message.code, message.message));
        return;
      default:
        // Later than the code that awaits a response sent before: the notification may be about its session.
        setImmediate(contain('media', () => this.emit('notification', message)));
    }
  }

  #onResponse(response: Exclude<WorkerResponse, { readonly type: 'refused' }>): void {
    const pending = this.#takePending(response.requestId);
    if (pending) return pending.resolve(response);
    // Nobody waits for the session any more.
    if (!('session' in response)) return;
    this.notify({ type: 'close-session', requestId: ++this.#lastRequestId, session: response.session });
  }

  #reject(requestId: number, message: string): void {
    this.#takePending(requestId)?.reject(new MediaError('engine_unavailable', message));
  }

  #takePending(requestId: number): PendingRequest | undefined {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    clearTimeout(pending?.timer);
    return pending;
  }
}

/** @throws {MediaError} */
function forkWorker(sandbox: Sandbox | undefined): ChildProcess {
  try {
    return forkModule(WORKER_FILE, { flags: MEMORY_FLAGS, settings: MEMORY_SETTINGS, sandbox });
  } catch (error) {
    // For example without memory.
    throw notStarted(error instanceof Error ? error.message : String(error));
  }
}

function notStarted(why: string): MediaError {
  return new MediaError('engine_unavailable', `the media engine did not start: ${why}`);
}
