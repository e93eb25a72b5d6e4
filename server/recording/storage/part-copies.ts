import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { OpenPart } from '../open/open-part.js';
import type { OpenRecording, StartTimer } from '../open/open-recording.js';
import { partKey, type PartBackup } from '../recording-record.js';
import { nextTailSpan, type TailSpan } from './part-tail.js';
import { MOST_PIECES, PIECE_BYTES, readPiece, type S3Storage } from './s3-storage.js';

/** The end of a part is copied so often while it grows: about as much is lost with the machine. */
export const TAIL_EVERY_MS = 10_000;
const RETRY_MS = 30_000;

/** What is read of a recording whose parts are copied. */
export type CopiedRecording = Pick<OpenRecording, 'id' | 'phase' | 'record' | 'setCopied'>;

export interface PartCopiesOptions {
  readonly storage: Pick<S3Storage, 'beginUpload' | 'addPiece' | 'putTail' | 'dropBackup'>;
  /** Saves the row of the recording with this id. @returns whether the database has it */
  readonly save: (id: string) => Promise<boolean>;
  readonly startTimer: StartTimer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

interface Copying {
  readonly recording: CopiedRecording;
  readonly part: OpenPart;
  /** The pieces that the database knows. Undefined: it does not know that there is a copy. */
  piecesKnown: number | undefined;
  tail: TailSpan | undefined;
  /** When the part began, or something of it was last copied. */
  copiedAt: number;
  running: Promise<void> | undefined;
  cancelRetry: (() => void) | undefined;
}

/**
 * Copies parts to S3 while they are written, so that little is lost with the machine: in pieces of a multipart upload,
 * and what is too short for a piece as the tail. What fails is tried again.
 */
export class PartCopies {
  readonly #options: PartCopiesOptions;
  readonly #copying = new Map<OpenPart, Copying>();
  #isClosed = false;

  constructor(options: PartCopiesOptions) {
    this.#options = options;
  }

  /** Of the parts that are copied now, or later. */
  get count(): number {
    return this.#copying.size;
  }

  /** More of a part is on disk, or it has ended. */
  follow(recording: CopiedRecording, part: OpenPart): void {
    if (!this.#isActive(recording)) return;
    const copying = this.#copying.get(part) ?? this.#begin(recording, part);
    if (copying.running || copying.cancelRetry) return;
    copying.running = this.#copyAll(copying).finally(() => {
      copying.running = undefined;
      const isDone = !part.isOpen && !copying.cancelRetry;
      if (isDone || !this.#isActive(recording)) this.#copying.delete(part);
    });
  }

  /** Resolves when the present requests have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancelRetry } of this.#copying.values()) cancelRetry?.();
    await Promise.all([...this.#copying.values()].map(({ running }) => running));
  }

  #begin(recording: CopiedRecording, part: OpenPart): Copying {
    const copying: Copying = {
      recording,
      part,
      piecesKnown: undefined,
      tail: undefined,
      copiedAt: this.#options.now(),
      running: undefined,
      cancelRetry: undefined,
    };
    this.#copying.set(part, copying);
    return copying;
  }

  /** A recording that is over becomes one file, which is copied as a whole. */
  #isActive(recording: CopiedRecording): boolean {
    return !this.#isClosed && recording.phase !== 'over';
  }

  async #copyAll(copying: Copying): Promise<void> {
    const { startTimer, log } = this.#options;
    const { recording, part } = copying;
    try {
      while (this.#isActive(recording) && (await this.#copyNext(copying)));
    } catch (err) {
      log.warn({ err, recording: recording.id }, 'a piece of a recording was not copied to S3: it is in the folder');
      if (!this.#isActive(recording)) return;
      recording.setCopied(false);
      copying.cancelRetry = startTimer(RETRY_MS, () => {
        copying.cancelRetry = undefined;
        if (this.#isActive(recording)) this.follow(recording, part);
        else this.#copying.delete(part);
      });
    }
  }

  /** @returns whether there may be more to copy */
  async #copyNext(copying: Copying): Promise<boolean> {
    const { storage } = this.#options;
    const { recording, part, tail } = copying;
    const now = this.#options.now();
    const backup = part.backup ?? { key: keyOf(copying), uploadId: null, etags: [] };
    // A piece that no record knows is lost with the machine, and a tail after it is of no use.
    if (part.backup && copying.piecesKnown !== backup.etags.length) await this.#saveCopy(copying, backup);
    const piecesEnd = backup.etags.length * PIECE_BYTES;
    // What comes after the last piece that S3 takes is in the folder alone.
    if (backup.etags.length >= MOST_PIECES) return false;
    const hasPiece = part.bytes - piecesEnd >= PIECE_BYTES;
    const isTailDue = !part.isOpen || now - copying.copiedAt >= TAIL_EVERY_MS;
    const span = isTailDue ? nextTailSpan(tail, piecesEnd, part.bytes) : undefined;
    if (!hasPiece && !span) return false;
    if (!part.backup) part.backup = backup;
    else if (hasPiece) {
      await this.#addPiece(copying, backup);
      copying.copiedAt = now;
      recording.setCopied(true);
    } else if (span) {
      await storage.putTail(backup, span.index, { from: span.from, bytes: await readSpan(part, span.from, span.to) });
      copying.tail = span;
      copying.copiedAt = now;
      recording.setCopied(true);
    }
    return this.#isActive(recording);
  }

  async #saveCopy(copying: Copying, { etags }: PartBackup): Promise<void> {
    if (!(await this.#options.save(copying.recording.id)))
      throw new Error('the database did not take the copy of a part');
    copying.piecesKnown = etags.length;
  }

  async #addPiece({ recording, part }: Copying, backup: PartBackup): Promise<void> {
    const { key, uploadId, etags } = backup;
    const { storage } = this.#options;
    const begun = uploadId === null ? await storage.beginUpload(key) : { key, uploadId, etags };
    // The record that is made into a file does not know an upload that began too late.
    if (uploadId === null && !this.#isActive(recording)) return await storage.dropBackup(begun);
    // If S3 does not take the piece, the next attempt goes on with the same upload.
    part.backup = begun;
    const from = etags.length * PIECE_BYTES;
    part.backup = await storage.addPiece(begun, await readSpan(part, from, from + PIECE_BYTES));
  }
}

function keyOf({ recording, part }: Copying): string {
  return partKey(recording.record, { name: basename(part.start.file) });
}

async function readSpan({ start: { file } }: OpenPart, from: number, to: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    return await readPiece(handle, from, to - from);
  } finally {
    await handle.close();
  }
}
