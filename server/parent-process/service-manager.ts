import { execFile } from 'node:child_process';
import { childEnvironment } from '../child-process.js';
import { every } from '../faults/timers.js';

/** systemd kills a service that is silent for the whole time: two beats may be lost. */
const BEATS = 3;
/** How long systemd may take to accept a message. */
const ANSWER_MS = 5_000;

export interface ServiceManagerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A message could not be sent. */
  readonly onFault: (error: unknown) => void;
  readonly pid?: number;
  /** Sends a message of sd_notify(3). */
  readonly send?: (message: string) => Promise<void>;
}

type Connection = Required<Pick<ServiceManagerOptions, 'onFault' | 'send'>>;

/**
 * Tells systemd when the server is ready, and from then on that it is alive: each beat comes from the event loop, so
 * that a server whose loop is stuck, or whose process stands still, is killed and started again (`WatchdogSec`).
 */
export class ServiceManager {
  readonly #options: Connection;
  readonly #beatMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined: systemd does not wait for messages of this process. */
  static find({ env, pid = process.pid, send = sendToSystemd, onFault }: ServiceManagerOptions) {
    if (!env['NOTIFY_SOCKET']) return undefined;
    const watched = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(pid);
    const withinUs = watched ? Number(env['WATCHDOG_USEC'] ?? 0) : 0;
    return new ServiceManager({ onFault, send }, withinUs > 0 ? withinUs / 1_000 / BEATS : undefined);
  }

  private constructor(options: Connection, beatMs: number | undefined) {
    this.#options = options;
    this.#beatMs = beatMs;
  }

  /** The server listens. */
  ready(): void {
    this.#send('READY=1');
    if (this.#beatMs === undefined) return;
    this.#timer = every('server', this.#beatMs, () => this.#send('WATCHDOG=1')).unref();
  }

  /** The server begins to stop. systemd waits for its end (`TimeoutStopSec`), and for no beat. */
  stopping(): void {
    this.#send('STOPPING=1');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #send(message: string): void {
    this.#options.send(message).catch(this.#options.onFault);
  }
}

/** By the program of systemd: Node has no datagram sockets of Unix. */
function sendToSystemd(message: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { env: childEnvironment(['NOTIFY_SOCKET']), timeout: ANSWER_MS, killSignal: 'SIGKILL' } as const;
  execFile('systemd-notify', [message], options, (error) => (error ? reject(error) : resolve()));
  return promise;
}
