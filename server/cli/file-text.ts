import { readFile } from 'node:fs/promises';
import { CommandError } from './command.js';

/** A file that the command line names. @throws {CommandError} `file_unreadable` */
export async function fileText(path: string, encoding: 'utf8' | 'base64'): Promise<string> {
  try {
    return await readFile(path, encoding);
  } catch (error) {
    throw new CommandError(
      'file_unreadable',
      `The file cannot be read: ${error instanceof Error ? error.message : path}`,
    );
  }
}
