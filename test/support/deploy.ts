import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

/** The text of a file. @param path from the root of the repository */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The content of a YAML file. A key that is there twice is an error. */
export const readYaml = <Content>(path: string): Content => parse(readText(path), { merge: true, strict: true });

/** `NAME=value` for each line, without comments. */
export function variablesIn(envFile: string): Record<string, string> {
  return Object.fromEntries(
    [...envFile.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const),
  );
}
