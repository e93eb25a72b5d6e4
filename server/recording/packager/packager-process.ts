import { moduleBeside } from '../../child-process.js';
import { contain } from '../../faults/contain.js';
import type { Sandbox } from '../../process-sandbox.js';
import type { FinishedFile, GroupRange, Packager, PartIndex } from '../packager.js';
import { SupervisedProcess, type ProcessLogEntry } from '../supervised-process.js';
import {
  PackagerError,
  type MessageFromPackager,
  type MessageToPackager,
  type PackagerCall,
  type PackagerCalls,
} from './packager-messages.js';

export interface PackagerProcessOptions {
  /** Absent: the process may do everything that this one may do. */
  readonly sandbox?: Sandbox | undefined;
  readonly onLog: (entry: ProcessLogEntry) => void;
}

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: PackagerError): void;
}

const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Packages in a process of its own, which starts with the first call, and is started again when it dies. All calls
 * reject with a `PackagerError`.
 */
export class PackagerProcess implements Packager {
  readonly #process: SupervisedProcess<MessageToPackager, MessageFromPackager>;
  readonly #pending = new Map<number, PendingCall>();
  /** Calls that are made when the process runs. All of them are pending. */
  readonly #waiting = new Map<number, PackagerCall>();
  #lastId = 0;

  constructor({ sandbox, onLog }: PackagerProcessOptions) {
    const file = moduleBeside('packager-main', import.meta);
    this.#process = new SupervisedProcess({ name: 'packager', file, sandbox, onLog, closeTimeoutMs: CLOSE_TIMEOUT_MS });
    this.#process.on(
      'message',
      contain('recording', (message) => this.#onMessage(message)),
    );
    this.#process.on(
      'exit',
      contain('recording', () => this.#rejectAll()),
    );
  }

  /** Undefined before the first call, and while it is started again. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The process died, and has not answered again. */
  get isAway(): boolean {
    return this.#process.isAway;
  }

  readPart(file: string): Promise<PartIndex> {
    return this.#call('readPart', [file]);
  }

  finish(...args: Parameters<Packager['finish']>): Promise<FinishedFile> {
    return this.#call('finish', args);
  }

  async initSegment(...args: Parameters<Packager['initSegment']>): Promise<Buffer> {
    return Buffer.from(await this.#call('initSegment', args));
  }

  async segment(range: GroupRange, zero: number): Promise<Buffer> {
    return Buffer.from(await this.#call('segment', [range, zero]));
  }

  /** Calls that are not answered are rejected. */
  async close(): Promise<void> {
    await this.#process.close();
    this.#rejectAll();
  }

  async #call<Name extends keyof PackagerCalls>(
    type: Name,
    args: PackagerCalls[Name]['args'],
  ): Promise<PackagerCalls[Name]['result']> {
    const id = ++this.#lastId;
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const call = { type, id, args } as PackagerCall;
      if (this.#process.send(call)) return;
      if (this.#process.start()) this.#waiting.set(id, call);
      else this.#reject(id, ended());
    }) as Promise<PackagerCalls[Name]['result']>;
  }

  #onMessage(message: MessageFromPackager): void {
    if (message.type === 'ready') this.#sendWaiting();
    else if (message.type === 'done') this.#take(message.id)?.resolve(message.result);
    else if (message.type === 'failed') this.#reject(message.id, new PackagerError(message.message, message.reason));
  }

  #sendWaiting(): void {
    for (const [id, call] of this.#waiting) {
      if (this.#process.send(call)) this.#waiting.delete(id);
    }
  }

  #rejectAll(): void {
    for (const id of this.#pending.keys()) this.#reject(id, ended());
  }

  #reject(id: number, error: PackagerError): void {
    this.#take(id)?.reject(error);
  }

  #take(id: number): PendingCall | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#waiting.delete(id);
    return pending;
  }
}

const ended = (): PackagerError => new PackagerError('the packager ended', 'unavailable');
