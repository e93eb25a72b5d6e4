import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';

/**
 * Writes `integrity.json` beside the files for script tags: the version, and the hash of each file in the form of the
 * `integrity` attribute (SRI).
 */
export function writeIntegrity(folder: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = [
    'streamgate.js',
    'hls-player.js',
    ...readdirSync(join(folder, 'i18n'))
      .toSorted()
      .map((file) => `i18n/${file}`),
  ];
  const files = Object.fromEntries(names.map((name) => [name, integrityOf(readFileSync(join(folder, name)))]));
  writeFileSync(join(folder, 'integrity.json'), `${JSON.stringify({ version, files }, null, 2)}\n`);
}

const integrityOf = (bytes: Buffer): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
