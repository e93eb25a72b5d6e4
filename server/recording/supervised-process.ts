import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { forkModule } from '../child-process.js';
import { Heartbeat } from '../media/embedded/worker/heartbeat.js';

export interface ProcessLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface SupervisedProcessOptions {
  /** As the log names it: `recorder`. */
  readonly name: string;
  /** The main module. It answers `ping` with a message, and ends after `close`. */
  readonly file: string;
  readonly onLog: (entry: ProcessLogEntry) => void;
  /** How long it may take to end after `close()` before it is killed. */
  readonly closeTimeoutMs: number;
}

interface SupervisedProcessEvents<Received> {
  message: [message: Received];
  /** The process is gone, and is started again unless it was closed. */
  exit: [];
}

const START_TIMEOUT_MS = 15_000;
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
/** If a process lived for this long, its death has another cause than the one before. */
const HEALTHY_AFTER_MS = 10_000;

/** A child process that is started again when it dies, and killed when it hangs. */
export class SupervisedProcess<
  Sent extends { readonly type: string },
  Received extends { readonly type: string },
> extends EventEmitter<SupervisedProcessEvents<Received>> {
  readonly #options: SupervisedProcessOptions;
  #child: ChildProcess | undefined;
  #heartbeat: Heartbeat | undefined;
  #restartDelay = MIN_RESTART_DELAY_MS;
  #restartTimer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isClosing = false;

  constructor(options: SupervisedProcessOptions) {
    super();
    this.#options = options;
  }

  /** Undefined while no process is running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether the process has answered. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** @throws {Error} if the process does not run after some seconds */
  async start(): Promise<void> {
    const { name } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error(`the ${name} did not start`)), START_TIMEOUT_MS);
      const onMessage = (): void => settle();
      const onExit = (): void => settle(new Error(`the ${name} did not start: its process ended`));
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        this.off('message', onMessage);
        this.off('exit', onExit);
        if (error) this.#kill();
        if (error) reject(error);
        else resolve();
      };
      this.on('message', onMessage);
      this.on('exit', onExit);
      this.#fork();
    });
  }

  /** @returns false if no process can receive it */
  send(message: Sent | { readonly type: 'ping' | 'close' }): boolean {
    if (!this.#isReady || !this.#child?.connected) return false;
    this.#child.send(message);
    return true;
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restartTimer);
    this.#heartbeat?.stop();
    const child = this.#child;
    if (!child) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.closeTimeoutMs);
    if (child.connected) child.send({ type: 'close' });
    await once(this, 'exit');
    clearTimeout(timer);
  }

  #fork(): void {
    const { name, file, onLog } = this.#options;
    const child = forkModule(file, 'advanced');
    const startedAt = performance.now();
    const heartbeat = new Heartbeat({
      ping: () => this.send({ type: 'ping' }),
      onSilent: () => {
        onLog({ level: 'error', message: `the ${name} hangs and is killed`, pid: child.pid });
        // A stopped process ignores every other signal. `exit` follows.
        child.kill('SIGKILL');
      },
    });
    this.#child = child;
    this.#heartbeat = heartbeat;
    child.on('message', (message: Received) => {
      heartbeat.received();
      if (!this.#isReady) {
        this.#isReady = true;
        heartbeat.start();
        onLog({ level: 'info', message: `the ${name} is running`, pid: child.pid });
      }
      this.emit('message', message);
    });
    // A broken channel is followed by `exit`.
    child.on('error', () => {});
    let how = '';
    child.on('exit', (code, signal) => {
      how = signal ?? `code ${code}`;
      heartbeat.stop();
      this.#isReady = false;
      // Its last messages arrive before the channel is closed, which may be later than this.
      if (child.connected) child.once('disconnect', onGone);
      else onGone();
    });
    const onGone = (): void => {
      this.#child = undefined;
      if (!this.#isClosing) {
        onLog({ level: 'error', message: `the ${name} died and is started again`, how });
        if (performance.now() - startedAt >= HEALTHY_AFTER_MS) this.#restartDelay = MIN_RESTART_DELAY_MS;
        this.#restartTimer = setTimeout(() => this.#fork(), this.#restartDelay);
        this.#restartDelay = Math.min(2 * this.#restartDelay, MAX_RESTART_DELAY_MS);
      }
      this.emit('exit');
    };
  }

  #kill(): void {
    this.#isClosing = true;
    clearTimeout(this.#restartTimer);
    this.#child?.kill('SIGKILL');
  }
}
