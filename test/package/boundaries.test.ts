import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it } from 'node:test';

/** Who may import whom, by folder; the longest matching folder counts. A folder may always import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'src/wire': [],
  'src/client': ['src/wire'],
  'src/elements': ['src/client', 'src/wire'],
  'src/define': ['src/elements'],
  'src/i18n': ['src/elements/i18n'],
  'src/frame': ['src/client'],
  'src/markup': [],
  'src/react': ['src/define', 'src/elements', 'src/markup'],
  'src/svelte': ['src/elements', 'src/markup'],
  'src/vue': ['src/elements', 'src/markup'],
  'src/management': ['src/wire'],
  'src/pages': ['src/client', 'src/define', 'src/elements', 'src/frame', 'src/management', 'src/wire'],
  'server/addresses': ['server/tokens/token-record', 'server/tokens/restrictions'],
  'server/config': ['server/errors', 'server/addresses', 'server/admission/ice-server-url'],
  'server/parent-process': [],
  'server/rules': ['src/wire', 'server/tokens/token-record', 'server/tokens/compiled-token'],
  'server/tokens': ['src/wire', 'server/addresses', 'server/errors', 'server/rules'],
  'server/oversight': ['src/wire', 'server/errors', 'server/tokens/token-record'],
  'server/accounts': ['src/wire', 'server/errors', 'server/expiring-map', 'server/oversight/actor'],
  'server/store': ['src/wire', 'server/tokens', 'server/accounts', 'server/oversight', 'server/errors'],
  'server/media': ['src/wire'],
  'server/streams': ['src/wire', 'server/catch-errors', 'server/media/media-engine'],
  'server/admission': ['src/wire', 'server/rules', 'server/tokens', 'server/streams'],
  'server/sessions': [
    'src/wire',
    'server/catch-errors',
    'server/errors',
    'server/admission',
    'server/streams',
    'server/media/media-engine',
  ],
  'server/signalling': [
    'src/wire',
    'server/catch-errors',
    'server/errors',
    'server/admission',
    'server/streams',
    'server/sessions',
    'server/media/media-engine',
  ],
  'server/ingest': [
    'src/wire',
    'server/errors',
    'server/admission',
    'server/streams',
    'server/sessions',
    'server/media/media-engine',
    'server/http/request/bearer-token',
    'server/http/request/client-address',
    'server/http/middleware',
    'server/http/request/parse',
  ],
  'server/http': [
    'src/wire',
    'server/addresses',
    'server/errors',
    'server/tokens',
    'server/accounts',
    'server/oversight',
    'server/rules',
    'server/admission',
    'server/streams',
  ],
};

/** It puts together what the others make, as the files above the folders do. */
const IMPORTS_ANYTHING = 'server/cli';

/** Bare packages a folder may use; folders not named here may use what their package depends on. */
const MAY_USE: Record<string, RegExp> = {
  'src/wire': /^zod\/mini$/,
  'src/client': /^zod\/mini$/,
  'src/elements': /^lit($|\/)/,
  'src/define': /^$/,
  'src/i18n': /^$/,
  'src/frame': /^$/,
  'src/markup': /^lit$/,
  'src/react': /^react$/,
  'src/svelte': /^svelte\/elements$/,
  'src/vue': /^vue$/,
  'src/management': /^zod\/mini$/,
  'server/rules': /^$/,
  'server/streams': /^node:events$/,
};

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)(dist|node_modules)\//.test(name))
    .map((name) => posix.join(folder, name));

/** What a source imports: at its top, for its effect, or later, over however many lines. */
const importsIn = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom\s*|^\s*import\s*|\bimport\(\s*(?:\/\*[^]*?\*\/\s*)?)(['"])([^'"]+)\1/gm)].map(
    ([, , name]) => name!,
  );

const importsOf = (file: string): string[] => importsIn(readFileSync(file, 'utf8'));

const isOfServer = (name: string): boolean => /(^|\/)server(\/|$)/.test(name);

const within = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`) || path === `${place}.ts` || path === `${place}.js`;

describe('the house', () => {
  for (const [folder, neighbours] of Object.entries(MAY_IMPORT)) {
    it(`${folder} imports only itself and ${neighbours.join(', ') || 'nothing else'}`, () => {
      const files = sources(folder);
      assert.notEqual(files.length, 0, `${folder} is empty`);
      const strangers = files.flatMap((file) =>
        importsOf(file)
          .filter((name) => name.startsWith('.'))
          .map((name) => posix.join(posix.dirname(file), name))
          .filter((target) => ![folder, ...neighbours].some((place) => within(target, place)))
          .map((target) => `${file} -> ${target}`),
      );
      assert.deepEqual(strangers, []);
    });
  }

  for (const [folder, allowed] of Object.entries(MAY_USE)) {
    it(`${folder} uses no package outside ${allowed.source}`, () => {
      const strangers = sources(folder).flatMap((file) =>
        importsOf(file)
          .filter((name) => !name.startsWith('.') && !allowed.test(name))
          .map((name) => `${file} -> ${name}`),
      );
      assert.deepEqual(strangers, []);
    });
  }

  it('src never imports server', () => {
    const strangers = sources('src').filter((file) => importsOf(file).some(isOfServer));
    assert.deepEqual(strangers, []);
    assert.deepEqual(['@streamgate/server', '../../server/app.js', '../observer/a.js'].filter(isOfServer), [
      '@streamgate/server',
      '../../server/app.js',
    ]);
  });

  it('has a rule for every folder', () => {
    const folders = ['src', 'server'].flatMap((home) =>
      readdirSync(home, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(bin|dist|node_modules)$/.test(entry.name))
        .map((entry) => posix.join(home, entry.name)),
    );
    assert.deepEqual(
      folders.filter((folder) => !(folder in MAY_IMPORT) && folder !== IMPORTS_ANYTHING),
      [],
    );
  });

  it('is searched for every way to import', () => {
    const source = `import 'a';
      import { b } from "b";
      export type { C } from 'c';
      import {
        d,
      } from 'd';
      const e = await import('e');
      const f = () =>
        import(
          /* later */ 'f'
        );`;
    assert.deepEqual(importsIn(source), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  for (const app of readdirSync('demo/frameworks')) {
    it(`demo/frameworks/${app} imports itself, packages of its own, and what ours exports`, () => {
      const home = posix.join('demo/frameworks', app);
      const sources = existsSync(posix.join(home, 'src')) ? posix.join(home, 'src') : home;
      const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|js|vue|svelte)$/.test(name))
        .map((name) => posix.join(sources, name));
      assert.notEqual(files.length, 0, `${app} is empty`);
      const strangers = files.flatMap((file) =>
        importsOf(file)
          .filter((name) =>
            name.startsWith('.') ? !within(posix.join(posix.dirname(file), name), home) : !isKnownTo(home, name),
          )
          .map((name) => `${file} -> ${name}`),
      );
      assert.deepEqual(strangers, []);
    });
  }
});

function isKnownTo(app: string, name: string): boolean {
  const [, own = '', entry = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(name)!;
  if (own === 'streamgate' && !(`.${entry}` in manifest('.').exports)) return false;
  const { dependencies, devDependencies } = manifest(app);
  return own in { ...dependencies, ...devDependencies };
}

const manifest = (folder: string) => JSON.parse(readFileSync(posix.join(folder, 'package.json'), 'utf8'));
