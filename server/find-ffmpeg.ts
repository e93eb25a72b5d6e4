import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAME = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';

/** The path of ffmpeg: the configured one, or else the first in the PATH. Undefined: there is none that can be run. */
export function findFfmpeg(configured: string | undefined, path = process.env['PATH'] ?? ''): string | undefined {
  const candidates =
    configured === undefined ? path.split(delimiter).map((folder) => join(folder, NAME)) : [configured];
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
