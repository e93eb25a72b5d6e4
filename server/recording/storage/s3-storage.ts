import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { S3mini, S3NetworkError, S3ServiceError } from 's3mini';
import { after } from '../../faults/timers.js';
import { mediaType, type PartBackup } from '../recording-record.js';
import { joinTail, packTail, tailKey, tailKeys, unpackTail, type TailBytes } from './part-tail.js';
import type { ByteRange, DownloadOptions, RecordingStorage } from './recording-storage.js';

/** Of a multipart upload. S3 takes none below 5 MiB, but the last one. */
export const PIECE_BYTES = 8 * 1_024 * 1_024;
/** S3 takes no more. */
export const MOST_PIECES = 10_000;
/** A request with a piece, and the start of its answer. */
const ANSWER_WITHIN_MS = 60_000;

export interface S3Options {
  /** Such as `https://s3.example.com`, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Before each key, such as `streamgate/`. May be empty. */
  readonly prefix: string;
}

/** A copy of which S3 knows. */
export type BegunBackup = PartBackup & { readonly uploadId: string };

/** S3 did not do what we asked. It names neither keys nor signatures: answers of S3 may hold both. */
export class S3StorageError extends Error {
  override name = 'S3StorageError';

  /** @param status of HTTP. Undefined: S3 did not answer */
  constructor(
    action: string,
    readonly status: number | undefined,
    detail: string,
  ) {
    super(`S3 could not ${action}: ${detail}`);
  }
}

/** Objects in a bucket of S3, or of a storage that speaks its protocol. */
export class S3Storage implements RecordingStorage {
  readonly #client: S3mini;
  readonly #prefix: string;

  constructor(
    { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix }: S3Options,
    answerWithinMs = ANSWER_WITHIN_MS,
  ) {
    this.#client = new S3mini({
      endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
      region,
      accessKeyId,
      secretAccessKey,
      fetch: answeredWithin(answerWithinMs),
    });
    this.#prefix = prefix;
  }

  async put(key: string, file: string, contentType: string): Promise<void> {
    const name = this.#name(key);
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      await asked('store a file', async () => {
        if (size <= PIECE_BYTES) await this.#client.putObject(name, await readPiece(handle, 0, size), contentType);
        else await this.#putPieces(name, handle, { size, contentType });
        // S3 may answer the end of a multipart upload with 200 and an error.
        const stored = await this.#client.getContentLength(name);
        if (stored !== size) throw new Error(`it has ${stored} bytes of ${size}`);
      });
    } finally {
      await handle.close();
    }
  }

  async size(key: string): Promise<number | undefined> {
    const name = this.#name(key);
    return await asked('find a file', async () => {
      if ((await this.#client.objectExists(name)) !== true) return undefined;
      return await this.#client.getContentLength(name);
    });
  }

  async read(key: string, { from, to }: ByteRange): Promise<Readable> {
    const name = this.#name(key);
    return await asked('read a file', async () => {
      const { body } = await this.#client.getObjectRaw(name, false, from, to + 1);
      return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
    });
  }

  async downloadUrl(key: string, { fileName, contentType, seconds }: DownloadOptions): Promise<string> {
    return await this.#client.getPresignedUrl('GET', this.#name(key), seconds, {
      'response-content-disposition': `attachment; filename="${fileName}"`,
      'response-content-type': contentType,
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    const names = keys.map((key) => this.#name(key));
    await asked('remove a file', () => Promise.all(names.map((name) => this.#client.deleteObject(name))));
  }

  /** Begins the copy of a part that is still written. S3 keeps what is added until `dropBackup`, or `completeBackup`. */
  async beginUpload(key: string): Promise<BegunBackup> {
    const upload = () => this.#client.getMultipartUploadId(this.#name(key), mediaType(key));
    return { key, uploadId: await asked('begin a copy', upload), etags: [] };
  }

  /** Adds the next piece, of `PIECE_BYTES`. */
  async addPiece({ key, uploadId, etags }: BegunBackup, piece: Buffer): Promise<BegunBackup> {
    const number = etags.length + 1;
    const upload = () => this.#client.uploadPart(this.#name(key), uploadId, piece, number);
    const { etag } = await asked('store a piece', upload);
    return { key, uploadId, etags: [...etags, etag] };
  }

  /** Writes an object of the tail of a part. */
  async putTail({ key }: Pick<PartBackup, 'key'>, index: number, tail: TailBytes): Promise<void> {
    const name = this.#name(tailKey(key, index));
    await asked('store the end of a part', () =>
      this.#client.putObject(name, packTail(tail), 'application/octet-stream'),
    );
  }

  /** The tail of a part from this position on, as far as it is there. */
  async readTail({ key }: Pick<PartBackup, 'key'>, position: number): Promise<Buffer> {
    const objects = await asked('read the end of a part', () =>
      Promise.all(tailKeys(key).map((each) => this.#client.getObjectArrayBuffer(this.#name(each)))),
    );
    return joinTail(
      objects.flatMap((object) => (object ? (unpackTail(Buffer.from(object)) ?? []) : [])),
      position,
    );
  }

  /**
   * The pieces of a part become a file with its key. May be called again.
   * @returns its size; 0: S3 has none of the pieces any more
   */
  async completeBackup({ key, uploadId, etags }: PartBackup): Promise<number> {
    if (uploadId === null || etags.length === 0) return 0;
    const size = etags.length * PIECE_BYTES;
    if ((await this.size(key)) === size) return size;
    const pieces = etags.map((etag, index) => ({ partNumber: index + 1, etag }));
    try {
      await asked('complete a copy', () => this.#client.completeMultipartUpload(this.#name(key), uploadId, pieces));
    } catch (error) {
      if (isNotFound(error)) return 0;
      throw error;
    }
    // S3 may answer the end of a multipart upload with 200 and an error.
    const stored = await this.size(key);
    if (stored === size) return size;
    throw new S3StorageError('complete a copy', undefined, `it has ${stored ?? 0} bytes of ${size}`);
  }

  /** Removes everything of it from S3. May be called again. */
  async dropBackup({ key, uploadId }: PartBackup): Promise<void> {
    if (uploadId !== null) {
      await asked('remove a copy', () => this.#client.abortMultipartUpload(this.#name(key), uploadId)).catch(
        (error: unknown) => {
          if (!isNotFound(error)) throw error;
        },
      );
    }
    await this.remove([key, ...tailKeys(key)]);
  }

  async #putPieces(name: string, handle: FileHandle, { size, contentType }: { size: number; contentType: string }) {
    const pieceSize = Math.max(PIECE_BYTES, Math.ceil(size / MOST_PIECES));
    const uploadId = await this.#client.getMultipartUploadId(name, contentType);
    try {
      const pieces = [];
      for (let at = 0; at < size; at += pieceSize) {
        const piece = await readPiece(handle, at, Math.min(pieceSize, size - at));
        pieces.push(await this.#client.uploadPart(name, uploadId, piece, pieces.length + 1));
      }
      await this.#client.completeMultipartUpload(name, uploadId, pieces);
    } catch (error) {
      // Else S3 keeps the pieces, and they cost. The first error is the one to know.
      await this.#client.abortMultipartUpload(name, uploadId).catch(() => {});
      throw error;
    }
  }

  #name(key: string): string {
    if (key.split('/').some((step) => step === '' || step === '.' || step === '..')) {
      throw new Error('the key of a recording leads out of its folder');
    }
    return `${this.#prefix}${key}`;
  }
}

/**
 * A `fetch` that ends requests whose answer does not begin in time. The limit of `S3mini` would be one for the whole file,
 * which a player reads as slowly as it plays.
 */
function answeredWithin(ms: number): typeof fetch {
  return async (input, init) => {
    const controller = new AbortController();
    const timer = after('recording', ms, () => controller.abort(new DOMException('S3 did not answer', 'TimeoutError')));
    try {
      // The request is signed for this server, and so is what it sends.
      return await fetch(input, { ...init, redirect: 'error', signal: controller.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** @throws {Error} the file is shorter */
export async function readPiece(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(piece, filled, length - filled, position + filled);
    if (bytesRead === 0) throw new Error('a file of a recording ends too early');
    filled += bytesRead;
  }
  return piece;
}

function isNotFound(error: unknown): boolean {
  return error instanceof S3StorageError && error.status === 404;
}

async function asked<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw safeError(action, error);
  }
}

/** Looks through the errors that the client wraps. */
function safeError(action: string, error: unknown): S3StorageError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof S3ServiceError) {
      return new S3StorageError(action, at.status, `it answered ${at.status} ${at.serviceCode ?? ''}`.trimEnd());
    }
    if (at instanceof S3NetworkError) return new S3StorageError(action, undefined, `it cannot be reached (${at.code})`);
  }
  const isPlain = error instanceof Error && error.message.startsWith('it has ');
  const name = error instanceof Error ? error.name : 'unknown';
  return new S3StorageError(action, undefined, isPlain ? error.message : `it did not answer (${name})`);
}
