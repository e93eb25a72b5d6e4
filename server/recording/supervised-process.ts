import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { forkModule, killChild } from '../child-process.js';
import { isFaultMessage, type FaultMessage } from '../faults/child-process.js';
import { contain } from '../faults/contain.js';
import { Emitter } from '../faults/emitter.js';
import { reportFault } from '../faults/fault.js';
import { after } from '../faults/timers.js';
import type { Sandbox } from '../process-sandbox.js';
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
  /** Absent: the process may do everything that this one may do. */
  readonly sandbox?: Sandbox | undefined;
  readonly onLog: (entry: ProcessLogEntry) => void;
  /** How long it may take to end after `close()` before it is killed. */
  readonly closeTimeoutMs: number;
}

interface SupervisedProcessEvents<Received> {
  message: [message: Received];
  /** The process is gone, and is started again unless it was closed. */
  exit: [];
}

/**
 * The nice value. What is live goes first: on a busy machine the process still gets a quarter of a core, which is enough
 * for some tens of streams.
 */
const NICE = 5;
const START_TIMEOUT_MS = 15_000;
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
/** If a process lived for this long, its death has another cause than the one before. */
const HEALTHY_AFTER_MS = 10_000;

type State =
  /** Nobody has needed it. */
  | { readonly name: 'off' }
  /** `starting`: it has not answered yet. `ending`: it is gone, and its last messages are still to come. */
  | { readonly name: 'starting' | 'running' | 'ending' | 'closing'; readonly child: ChildProcess }
  | { readonly name: 'restarting'; readonly timer: NodeJS.Timeout }
  | { readonly name: 'closed' };

/** A child process that starts when it is needed, is started again when it dies, and is killed when it hangs. */
export class SupervisedProcess<
  Sent extends { readonly type: string },
  Received extends { readonly type: string },
> extends Emitter<SupervisedProcessEvents<Received>> {
  readonly #options: SupervisedProcessOptions;
  #state: State = { name: 'off' };
  #restartDelay = MIN_RESTART_DELAY_MS;
  #hasDied = false;

  constructor(options: SupervisedProcessOptions) {
    super('recording');
    this.#options = options;
  }

  /** Undefined while no process is running. */
  get pid(): number | undefined {
    return 'child' in this.#state ? this.#state.child.pid : undefined;
  }

  /** The process died, and has not answered again. */
  get isAway(): boolean {
    return this.#hasDied && this.#state.name !== 'closing' && this.#state.name !== 'closed';
  }

  /** Whether the process has answered. */
  get isReady(): boolean {
    return this.#state.name === 'running';
  }

  /** From now on the process is needed. @returns false if it was closed */
  start(): boolean {
    if (this.#state.name === 'off') this.#fork();
    return this.#state.name !== 'closed' && this.#state.name !== 'closing';
  }

  /** @returns false if no process can receive it */
  send(message: Sent | { readonly type: 'ping' }): boolean {
    if (this.#state.name !== 'running' || !this.#state.child.connected) return false;
    this.#state.child.send(message);
    return true;
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    const state = this.#state;
    if ('timer' in state) clearTimeout(state.timer);
    if (!('child' in state)) {
      this.#state = { name: 'closed' };
      return;
    }
    const { child } = state;
    this.#state = { name: 'closing', child };
    const timer = setTimeout(() => killChild(child), this.#options.closeTimeoutMs);
    // It was given nothing to do.
    if (state.name === 'starting') killChild(child);
    else if (child.connected) child.send({ type: 'close' });
    await once(this, 'exit');
    clearTimeout(timer);
  }

  #fork(): void {
    const { name, file, sandbox, onLog } = this.#options;
    let child: ChildProcess;
    try {
      child = forkModule(file, { serialization: 'advanced', sandbox });
    } catch (error) {
      // For example without memory.
      return this.#forkLater(String(error));
    }
    giveWay(child);
    const startedAt = performance.now();
    const killHanging = (): void => {
      onLog({ level: 'error', message: `the ${name} hangs and is killed`, pid: child.pid });
      // `exit` follows.
      killChild(child);
    };
    const startTimer = after('recording', START_TIMEOUT_MS, killHanging);
    const heartbeat = new Heartbeat({ ping: () => this.send({ type: 'ping' }), onSilent: killHanging });
    this.#state = { name: 'starting', child };
    child.on(
      'message',
      contain('recording', (message: Received | FaultMessage) => {
        heartbeat.received();
        if (this.#state.name === 'starting') {
          this.#state = { name: 'running', child };
          this.#hasDied = false;
          clearTimeout(startTimer);
          heartbeat.start();
          onLog({ level: 'info', message: `the ${name} is running`, pid: child.pid });
        }
        if (isFaultMessage(message)) reportFault('recording', message.text, message);
        else this.emit('message', message);
      }),
    );
    const onEnded = (how: string): void => {
      clearTimeout(startTimer);
      heartbeat.stop();
      if (this.#state.name !== 'closing') this.#state = { name: 'ending', child };
      const onGone = (): void => {
        if (performance.now() - startedAt >= HEALTHY_AFTER_MS) this.#restartDelay = MIN_RESTART_DELAY_MS;
        if (this.#state.name === 'closing') this.#state = { name: 'closed' };
        else this.#forkLater(how);
        this.emit('exit');
      };
      // Its last messages arrive before the channel is closed, which may be later than this.
      if (child.connected) child.once('disconnect', contain('recording', onGone));
      else onGone();
    };
    child.on(
      'exit',
      contain('recording', (code, signal) => onEnded(signal ?? `code ${code}`)),
    );
    // A broken channel is followed by `exit`. Nothing follows if there was never a process.
    child.on(
      'error',
      contain('recording', ({ message }) => {
        if (child.pid === undefined) onEnded(message);
      }),
    );
  }

  #forkLater(how: string): void {
    const { name, onLog } = this.#options;
    this.#hasDied = true;
    onLog({ level: 'error', message: `the ${name} died and is started again`, how });
    this.#state = {
      name: 'restarting',
      timer: after('recording', this.#restartDelay, () => this.#fork()),
    };
    this.#restartDelay = Math.min(2 * this.#restartDelay, MAX_RESTART_DELAY_MS);
  }
}

/** What is live goes first. Where the system does not permit it, or the process is gone already, it has the same priority. */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICE);
  } catch {
    // `exit` follows if it is gone.
  }
}
