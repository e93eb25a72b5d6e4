import { readFile, writeFile } from 'node:fs/promises';
import { CommandError } from './command.js';

/** A file that the command line names. @throws {CommandError} `file_unreadable` */
export async function fileText(path: string, encoding: 'utf8' | 'base64'): Promise<string> {
  try {
    return await readFile(path, encoding);
  } catch (error) {
    throw new CommandError('file_unreadable', `The file cannot be read: ${reasonOf(error, path)}`);
  }
}

/** Writes a file that the command line names, or replaces it. @throws {CommandError} `file_unwritable` */
export async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new CommandError('file_unwritable', `The file cannot be written: ${reasonOf(error, path)}`);
  }
}

function reasonOf(error: unknown, path: string): string {
  return error instanceof Error ? error.message : path;
}
