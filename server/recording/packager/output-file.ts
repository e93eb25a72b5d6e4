import { open, rename, unlink, type FileHandle } from 'node:fs/promises';

/** A file that appears under its name when it is complete. */
export class OutputFile {
  readonly path: string;
  readonly #temporary: string;
  readonly #file: FileHandle;
  #size = 0;

  static async create(path: string): Promise<OutputFile> {
    const temporary = `${path}.partial`;
    return new OutputFile(path, temporary, await open(temporary, 'w+', 0o640));
  }

  private constructor(path: string, temporary: string, file: FileHandle) {
    this.path = path;
    this.#temporary = temporary;
    this.#file = file;
  }

  /** To read what is written. */
  get handle(): FileHandle {
    return this.#file;
  }

  get size(): number {
    return this.#size;
  }

  /** @param position default: the end */
  async write(data: Uint8Array, position = this.#size): Promise<void> {
    for (let at = 0; at < data.length;) {
      at += (await this.#file.write(data, at, data.length - at, position + at)).bytesWritten;
    }
    this.#size = Math.max(this.#size, position + data.length);
  }

  async complete(): Promise<void> {
    await this.#file.datasync();
    await this.#file.close();
    await rename(this.#temporary, this.path);
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => {});
    await unlink(this.#temporary).catch(() => {});
  }
}
