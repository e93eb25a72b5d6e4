import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Backlog } from './drop-policy.js';

/** What is used of a file that is open. */
export interface FileToAppend {
  write(data: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export type OpenFileToAppend = (path: string) => Promise<FileToAppend>;

/** An existing file is never written over. */
export const createFile: OpenFileToAppend = (path) =>
  open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_APPEND, 0o640);

interface Waiting {
  readonly data: Buffer;
  readonly since: number;
  readonly onWritten: () => void;
}

/** A file that only grows. What waits for the disk is written together. After a fault it ends with what is complete. */
export class AppendFile {
  readonly #file: Promise<FileToAppend>;
  readonly #now: () => number;
  readonly #onFault: (error: Error) => void;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #written = 0;
  #fault: Error | undefined;
  #writing: Promise<void> | undefined;

  /** @param onFault called once: nothing more is written */
  constructor(path: string, now: () => number, onFault: (error: Error) => void, openFile = createFile) {
    this.#now = now;
    this.#onFault = onFault;
    this.#file = openFile(path);
    this.#file.catch((error: Error) => this.#fail(error));
  }

  /** Bytes that are complete in the file. */
  get written(): number {
    return this.#written;
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  get backlog(): Backlog {
    const [first] = this.#waiting;
    return { bytes: this.#waitingBytes, ms: first ? this.#now() - first.since : 0 };
  }

  /** @param onWritten called when it survives this process */
  append(data: Buffer, onWritten: () => void): void {
    if (this.#fault) return;
    this.#waiting.push({ data, since: this.#now(), onWritten });
    this.#waitingBytes += data.length;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything is on disk, also after a power cut, or after a fault. */
  async close(): Promise<void> {
    await this.#writing;
    const file = await this.#file.catch(() => undefined);
    if (!file) return;
    try {
      if (this.#fault) await file.truncate(this.#written);
      await file.datasync();
    } catch (error) {
      this.#fail(error as Error);
    }
    await file.close().catch(() => {});
  }

  async #writeAll(): Promise<void> {
    try {
      const file = await this.#file;
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice();
        const bytes = Buffer.concat(batch.map(({ data }) => data));
        for (let at = 0; at < bytes.length;) at += (await file.write(bytes.subarray(at))).bytesWritten;
        this.#waiting = this.#waiting.slice(batch.length);
        this.#waitingBytes -= bytes.length;
        this.#written += bytes.length;
        for (const { onWritten } of batch) onWritten();
      }
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      this.#writing = undefined;
    }
  }

  #fail(error: Error): void {
    if (this.#fault) return;
    this.#fault = error;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#onFault(error);
  }
}
