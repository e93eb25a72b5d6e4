import { posix } from 'node:path';

/** A reference: an import, or another text in quotes that may be the path of a file or a folder. */
const QUOTED = /(\bimport\s+type\b[^'"`;]*?\bfrom\s*)?(['"`])([\w@.-]*(?:\/[\w@.-]+)*\/?)\2/g;
const CODE = /\.(?:[cm]?js|tsx?)$/;
/** Tests of the repository itself, which read whole folders by their names. */
const OF_THE_REPOSITORY = /^test\/(?:deploy|docs|package|types)\//;

/**
 * The files that reach one of `changed`: they import it, or name its path or a folder above it, or reach a file that does.
 * Imports of types alone do not count, because they change nothing that runs.
 * @param files all files of the repository, from its root, with their texts. Only code names others
 */
export function filesReaching(changed: ReadonlySet<string>, files: ReadonlyMap<string, string>): Set<string> {
  const folders = new Set([...files.keys()].flatMap(foldersAbove));
  /** Which files name a file or folder. */
  const namedBy = new Map<string, string[]>();
  for (const [file, text] of files) {
    if (!CODE.test(file)) continue;
    for (const target of targetsIn(file, text, files, folders)) {
      namedBy.set(target, [...(namedBy.get(target) ?? []), file]);
    }
  }
  const reached = new Set(changed);
  for (const file of reached) {
    for (const place of [file, ...foldersAbove(file)]) for (const one of namedBy.get(place) ?? []) reached.add(one);
  }
  return reached;
}

function targetsIn(
  file: string,
  text: string,
  files: ReadonlyMap<string, string>,
  folders: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  for (const [, isType, , name = ''] of text.matchAll(QUOTED)) {
    if (isType || /^[./]*$/.test(name)) continue;
    const isPath = /[/.]/.test(name) || OF_THE_REPOSITORY.test(file);
    for (const path of [posix.join(posix.dirname(file), name), posix.normalize(name)]) {
      const target = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((one) => files.has(one));
      if (target) found.add(target);
      else if (isPath && folders.has(path.replace(/\/$/, ''))) found.add(path.replace(/\/$/, ''));
    }
  }
  return found;
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
