import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { FinishedGroup } from './packager.js';
import { recordingFolder, type RecordedPart, type RecordingRecord } from './recording-record.js';
import { isMissing } from './storage/file-fault.js';
import { FolderStorage } from './storage/folder-storage.js';

type Named = Pick<RecordingRecord, 'accountId' | 'id'>;

const NODE_FILE = '.node';
/** The groups of the finished file, for those who go back in it. */
const GROUPS_FILE = 'groups.json';
/** The parts that became recordings of their own, by name. */
const DIVIDED_FILE = 'divided.json';
/** A clip may have a finished file as its part. */
const PART = /^part-\d+\.(?:mkv|webm|mp4)$/;
const ACCOUNT_FOLDER = /^[0-9a-f]{32}$/;
const RECORDING_FOLDER = /^[\w-]{22}$/;

const groupsSchema = z.array(
  z.object({
    position: z.number(),
    timestampMs: z.number(),
    isSound: z.optional(z.literal(true)),
    isResized: z.optional(z.literal(true)),
    gapFromMs: z.optional(z.number()),
  }),
);

const namesSchema = z.array(z.string());

/**
 * The folder of recordings of this server: ACCOUNT/RECORDING/part-1.mkv, and recording.mp4 when it is ready. Each
 * server has one of its own, and only finishes what is in it.
 */
export class RecordingFiles {
  readonly root: string;
  /** Names this folder in the database. */
  readonly nodeId: string;
  readonly storage: FolderStorage;

  private constructor(root: string, nodeId: string) {
    this.root = root;
    this.nodeId = nodeId;
    this.storage = new FolderStorage(root);
  }

  /** @throws {Error} the folder cannot be created or written */
  static async open(root: string): Promise<RecordingFiles> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new RecordingFiles(root, await nodeIdOf(join(root, NODE_FILE)));
  }

  folderOf(record: Named): string {
    return this.storage.pathOf(recordingFolder(record));
  }

  fileOf(record: Named, name: string): string {
    return join(this.folderOf(record), name);
  }

  async makeFolder(record: Named): Promise<string> {
    const folder = this.folderOf(record);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** The parts in the folder of a recording, in order. */
  async partNames(record: Named): Promise<string[]> {
    const names = await namesIn(this.folderOf(record));
    const numberOf = (name: string): number => Number(name.match(/\d+/)?.[0]);
    return names.filter((name) => PART.test(name)).toSorted((one, other) => numberOf(one) - numberOf(other));
  }

  /** When the file was created, in milliseconds since 1970. */
  async createdOn(record: Named, name: string): Promise<number> {
    return Math.round((await stat(this.fileOf(record, name))).birthtimeMs);
  }

  /** Has a file in the folder of another recording too. Does nothing if it is gone. */
  async share(from: Named, to: Named, name: string, as = name): Promise<void> {
    const [source, target] = [this.fileOf(from, name), this.fileOf(to, as)];
    await this.makeFolder(to);
    try {
      await link(source, target).catch((error: unknown) => {
        if (isMissing(error)) throw error;
        // Some file systems have no links.
        return copyFile(source, target);
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async removePart(record: Named, name: string): Promise<void> {
    await rm(this.fileOf(record, name), { force: true });
  }

  async removeParts(record: Named): Promise<void> {
    for (const name of await this.partNames(record)) await this.removePart(record, name);
  }

  /** Call it before the database has these parts as those of other recordings. */
  async noteDivided(record: Named, parts: readonly Pick<RecordedPart, 'name'>[]): Promise<void> {
    const names = parts.map(({ name }) => name);
    await writeFile(this.fileOf(record, DIVIDED_FILE), JSON.stringify(names), { mode: 0o600, flush: true });
  }

  /** Removes the parts that other recordings have now, also if the server was killed before it could. */
  async removeDivided(record: Named & Pick<RecordingRecord, 'parts'>): Promise<void> {
    const note = this.fileOf(record, DIVIDED_FILE);
    const names = await namesFrom(note);
    for (const name of names) if (!record.parts.some((part) => part.name === name)) await this.removePart(record, name);
    await rm(note, { force: true });
  }

  async removeAll(record: Named): Promise<void> {
    await rm(this.folderOf(record), { recursive: true, force: true });
  }

  async saveGroups(record: Named, groups: readonly FinishedGroup[]): Promise<void> {
    await writeFile(this.fileOf(record, GROUPS_FILE), JSON.stringify(groups), { mode: 0o600 });
  }

  /** Undefined: they are not known. */
  async groups(record: Named): Promise<readonly FinishedGroup[] | undefined> {
    try {
      return groupsSchema.parse(JSON.parse(await readFile(this.fileOf(record, GROUPS_FILE), 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** The folders of recordings that nothing was written to since `time`: account folder and id. */
  async foldersUntouchedSince(time: number): Promise<{ readonly path: string; readonly id: string }[]> {
    const found: { path: string; id: string }[] = [];
    for (const account of await namesIn(this.root)) {
      if (!ACCOUNT_FOLDER.test(account)) continue;
      for (const id of await namesIn(join(this.root, account))) {
        const path = join(this.root, account, id);
        if (!RECORDING_FOLDER.test(id)) continue;
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < time) found.push({ path, id });
      }
    }
    return found;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** None of a note that was not completed: nothing was divided then. @throws {Error} it cannot be read */
async function namesFrom(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '[]';
    throw error;
  });
  try {
    return namesSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** @throws {Error} it cannot be read: with another name, the folder would be that of another server */
async function nodeIdOf(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  if (/^[0-9a-f]{32}$/.test(known.trim())) return known.trim();
  if (known !== '') throw new Error('the file .node of the folder of recordings is damaged');
  const made = randomBytes(16).toString('hex');
  const unfinished = `${file}.partial`;
  await writeFile(unfinished, `${made}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, file);
  return made;
}
