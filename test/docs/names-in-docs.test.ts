import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => read(join(folder, file)));

/** The names of every class, interface, type and function that a source declares, and of its members. */
const declared = new Set(
  ['src', 'server', 'demo']
    .flatMap(sourcesIn)
    .flatMap((source) => [...source.matchAll(/\b[A-Za-z]\w+\b/g)].map(([name]) => name)),
);

/** What stands in backticks outside of code blocks. */
const codeIn = (page: string): string[] =>
  [
    ...read(page)
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code]) => code!);

/** Names of the browser's and of libraries. */
const FOREIGN = new Set(['CamelCase', 'MediaStream']);

for (const page of ['ARCHITECTURE.md', 'docs/glossary.md']) {
  describe(page, () => {
    it('names classes and types that the sources have', () => {
      const names = codeIn(page).filter((code) => /^[A-Z][a-z]+[A-Z]\w*$/.test(code) && !FOREIGN.has(code));
      assert.ok(names.length > 10, 'the names were found');
      assert.deepEqual(
        names.filter((name) => !declared.has(name)),
        [],
      );
    });

    it('names files and folders that are there', () => {
      const paths = codeIn(page).filter((code) => /^(src|server|test|docs|demo|scripts)\/[\w./-]+$/.test(code));
      assert.deepEqual(
        paths.filter((path) => !existsSync(join(ROOT, path))),
        [],
      );
    });
  });
}
