import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** All files in git, and those that are new and not ignored. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
/** Names files that are no more. */
const OF_BEFORE = 'test/moved-facts.md';
const pages = files.filter((file) => file.endsWith('.md') && file !== OF_BEFORE);
const fileNames = new Set(files.map((file) => basename(file)));

const DECLARED =
  /\b(?:class|interface|type|function|const|let)\s+(\w+)|^\s+(?:(?:readonly|static|get|set|async)\s+)*#?(\w+)\??[(:<]/gm;
const withoutComments = (source: string): string => source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
const declaredIn = (source: string): string[] =>
  [...withoutComments(source).matchAll(DECLARED)].map(([, name, member]) => name ?? member!);

/** Every class, interface, type, function, constant and member that a source declares. */
const declared = new Set(
  files.filter((file) => /^(?:src|server|demo)\/.*\.tsx?$/.test(file)).flatMap((file) => declaredIn(read(file))),
);
/** Names of JavaScript, the browser, libraries and systemd, a value of the HTTP API, and the example of the glossary. */
const FOREIGN: ReadonlySet<string> = new Set([
  'AddedOn',
  'ExpiresOn',
  'AudioContext',
  'CamelCase',
  'ElementInternals',
  'TimeoutStopSec',
  'WatchdogSec',
  'EventSource',
  'LimitNOFILE',
  'LitElement',
  'MediaStream',
  'MemoryDenyWriteExecute',
  'NaN',
  'allowScripts',
  'ancestorOrigins',
  'getDisplayMedia',
  'getUserMedia',
  'innerHTML',
  'localStorage',
  'postMessage',
  'scaleResolutionDownBy',
  'sessionStorage',
  'setPrototypeOf',
  'sideEffects',
  'toJSONSchema',
]);

const isThere = (path: string): boolean => existsSync(join(ROOT, path)) || path.startsWith('server/dist/');

/** Text in backticks outside of code blocks. */
const codeIn = (page: string): string[] =>
  [
    ...read(page)
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code]) => code!);

for (const page of pages) {
  describe(page, () => {
    it('names classes and types that a source declares', () => {
      const names = codeIn(page).filter((code) => /^[A-Z][a-z]+[A-Z]\w*$/.test(code));
      const unknown = names.filter((name) => !declared.has(name) && !FOREIGN.has(name));
      assert.deepEqual(unknown, []);
    });

    it('names files and folders that exist', () => {
      const paths = codeIn(page).filter((code) => /^(?:src|server|test|docs|demo|scripts|bench)\/[\w./-]+$/.test(code));
      assert.deepEqual(
        // An application of demo/ names its own files. What a build writes need not be there.
        paths.filter((path) => ![path, join(dirname(page), path)].some(isThere)),
        [],
      );
      const names = codeIn(page).filter((code) => /^[\w-]+(?:\.\w+)*\.(?:ts|tsx|js|md)$/.test(code));
      assert.deepEqual(
        names.filter((name) => !fileNames.has(name)),
        [],
      );
    });
  });
}

/** Pages about the code. Other pages also name fields of other programs. */
for (const page of pages.filter((path) =>
  /^(?:ARCHITECTURE|CONTRIBUTING|docs\/glossary|docs\/decisions\/.*)\.md$/.test(path),
)) {
  it(`${page} names functions and members that a source declares`, () => {
    const names = codeIn(page).flatMap((code) => /^(?:\w+\.)?([a-z]+[A-Z]\w*)(?:\(\))?$/.exec(code)?.[1] ?? []);
    const unknown = names.filter((name) => !declared.has(name) && !FOREIGN.has(name));
    assert.deepEqual(unknown, []);
  });
}

describe('the names', () => {
  it('include names of each part of the source', () => {
    for (const known of ['TokenDirectory', 'SignallingConnection', 'nextSessionState'])
      assert.ok(declared.has(known), known);
    assert.ok(codeIn('docs/glossary.md').filter((code) => declared.has(code)).length > 40);
  });

  const foldersIn = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
      .map(({ name }) => `${folder}/${name}`);
  // Those of files that are in git or could be: a test that leaves a file behind is noticed, too.
  const atTheTop = new Set(files.filter((file) => /^[^.][^/]*\//.test(file)).map((file) => file.split('/')[0]!));
  for (const [where, folders] of [
    ['in src', foldersIn('src')],
    ['in server', foldersIn('server')],
    ['at the top', [...atTheTop].filter((folder) => folder !== 'src' && folder !== 'server')],
  ] as const) {
    it(`of the folders ${where} are all in the table of ARCHITECTURE.md`, () => {
      const named = new Set(codeIn('ARCHITECTURE.md'));
      assert.deepEqual(
        folders.filter((path) => !named.has(path)),
        [],
      );
    });
  }
});
