import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it } from 'node:test';

/** What each folder may import besides itself. */
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
  'server/faults': [],
  'server/addresses': ['server/weak-memoize'],
  'server/outbound': ['server/addresses'],
  'server/config': [
    'src/wire/endpoint',
    'server/errors',
    'server/nearest-name',
    'server/addresses',
    'server/admission/ice-server-url',
  ],
  'server/parent-process': ['server/child-process'],
  'server/health': ['src/wire/management/health'],
  'server/tls': ['server/config'],
  'server/rules': ['src/wire', 'server/tokens/token-record', 'server/tokens/compiled-token'],
  'server/tokens': [
    'server/spreadsheet-text',
    'src/wire',
    'server/addresses',
    'server/errors',
    'server/expiring-map',
    'server/fair-limit',
    'server/weak-memoize',
    'server/recent-values',
  ],
  'server/oversight': ['src/wire', 'server/addresses', 'server/errors', 'server/tokens/token-record'],
  'server/statistics': ['server/oversight', 'server/errors', 'server/streams/stream-id'],
  'server/accounts': [
    'src/wire',
    'server/addresses',
    'server/errors',
    'server/expiring-map',
    'server/fair-limit',
    'server/oversight/actor',
  ],
  'server/webhooks': [
    'src/wire',
    'server/errors',
    'server/outbound',
    'server/streams/stream',
    'server/streams/stream-id',
  ],
  'server/upstream': [
    'src/wire',
    'server/errors',
    'server/expiring-map',
    'server/fair-limit',
    'server/media/engine',
    'server/media/sdp',
    'server/outbound',
    'server/streams/stream-id',
  ],
  'server/store': [
    'src/wire',
    'server/webhooks/occurrence',
    'server/webhooks/webhook',
    'server/webhooks/webhook-store',
    'server/upstream/session-notes',
    'server/upstream/upstream',
    'server/upstream/upstream-store',
    'server/addresses',
    'server/tokens',
    'server/accounts',
    'server/oversight',
    'server/statistics',
    'server/recording/recording-record',
    'server/recording/recording-store',
    'server/errors',
    'server/cluster/cluster-store',
    'server/cluster/lease-times',
    'server/monotonic-now',
    'server/folder-lock',
    'server/sqlite-error',
    'server/recent-values',
  ],
  'server/cluster': [
    'src/wire/stream-id',
    'src/wire/text',
    'server/streams',
    'server/media/engine',
    'server/errors',
    'server/accounts/failed-attempt-limiter',
    'server/admission/account-sessions',
    'server/admission/grant-ledger',
    'server/admission/token-viewings',
  ],
  'server/media': [
    'src/wire',
    'server/addresses',
    'server/bit-reader',
    'server/child-process',
    'server/process-sandbox',
    'server/monotonic-now',
  ],
  'server/media/engine': [],
  'server/media/sdp': ['server/media/engine'],
  'server/media/janus': ['server/media/engine', 'server/media/sdp'],
  'server/tracing': [],
  'server/metrics': [
    'src/wire',
    'server/cluster/cluster-leases',
    'server/cluster/cluster-node',
    'server/media/engine',
    'server/recording/recording-control',
    'server/recording/recording-record',
    'server/server-version',
    'server/sessions/session',
    'server/sessions/sessions',
    'server/store/availability/database-monitor',
    'server/store/rows/row-faults',
    'server/tokens/token-record',
    'server/webhooks/webhook-store',
  ],
  'server/streams': ['src/wire', 'server/media/engine'],
  'server/admission': ['src/wire', 'server/addresses', 'server/rules', 'server/tokens', 'server/streams'],
  'server/sessions': [
    'src/wire',
    'server/addresses',
    'server/errors',
    'server/expiring-map',
    'server/rules/rule',
    'server/admission/grant',
    'server/admission/grant-ledger',
    'server/admission/grant-signer',
    'server/admission/resume-tokens',
    'server/streams',
    'server/media/engine',
  ],
  'server/signalling': [
    'src/wire',
    'server/addresses',
    'server/errors',
    'server/admission/admission',
    'server/admission/grant',
    'server/admission/resume-tokens',
    'server/streams',
    'server/sessions',
    'server/media/engine',
    'server/recording/recording-control',
  ],
  'server/ingest': [
    'src/wire',
    'server/errors',
    'server/admission',
    'server/streams',
    'server/sessions',
    'server/media/engine',
    'server/media/sdp',
    'server/http/request',
    'server/http/middleware',
    'server/http/endpoints/ingest-endpoints',
    'server/addresses',
    'server/rtmp',
    'server/tls/certificate',
    'server/find-ffmpeg',
    'server/listen-error',
    'server/child-process',
  ],
  'server/rtmp': ['src/wire/text', 'server/bit-reader'],
  'server/recording': [
    'src/wire',
    'server/addresses/ip-address',
    'server/errors',
    'server/fair-limit',
    'server/child-process',
    'server/process-sandbox',
    'server/media',
    'server/admission',
    'server/streams',
    'server/oversight',
  ],
  'server/http': [
    'server/nearest-name',
    'server/spreadsheet-text',
    'src/wire',
    'server/health',
    'server/addresses',
    'server/errors',
    'server/fair-limit',
    'server/expiring-map',
    'server/log-redaction',
    'server/tokens',
    'server/accounts',
    'server/oversight',
    'server/statistics',
    'server/recording',
    'server/rules',
    'server/admission',
    'server/streams',
    'server/sessions/entrance',
    'server/sessions/server-load',
    'server/recording/recording-control',
    'server/recording/hls',
    'server/upstream',
    'server/webhooks',
    'server/cluster/relay/relay-message',
  ],
};

/** Containing faults and reading JSON of others is the same everywhere in the server. */
const EVERYWHERE: readonly string[] = ['server/faults', 'server/bounded-json'];

/** These put the server together, and may import every folder, as the files above the folders may. */
const IMPORTS_ANYTHING: ReadonlySet<string> = new Set(['server/cli', 'server/composition']);

/** The packages that a folder may import. Folders without an entry may import every dependency of their package. */
const MAY_USE: Record<string, RegExp> = {
  'src/wire': /^zod\/mini$/,
  'src/client': /^zod\/mini$/,
  // One module, which only browsers without HLS load, has hls.js.
  'src/elements': /^(?:lit($|\/)|hls\.js(?:\/light)?$)/,
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
  'server/rtmp': /^node:crypto$/,
};

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name))
    .map((name) => posix.join(folder, name));

/** Every specifier that a source imports: static, for side effects only, re-exported, or dynamic. */
const importsIn = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom\s*|^\s*import\s*|\bimport\(\s*(?:\/\*[^]*?\*\/\s*)?)(['"])([^'"]+)\1/gm)].map(
    ([, , name]) => name!,
  );

const importsOf = (file: string): string[] => importsIn(readFileSync(file, 'utf8'));

/** The files that each file imports, types included. */
function importGraph(files: readonly string[]): Map<string, string[]> {
  const known = new Set(files);
  const resolve = (file: string, name: string): string | undefined => {
    const target = posix.join(posix.dirname(file), name);
    return [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].find((path) => known.has(path));
  };
  return new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => resolve(file, name))
        .filter((target) => target !== undefined),
    ]),
  );
}

/** Import cycles, each as `a.ts -> b.ts -> a.ts`; at least one of each group of files that import each other. */
function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file].join(' -> '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

const isOfServer = (name: string): boolean => /(^|\/)server(\/|$)/.test(name);

const within = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`) || path === `${place}.ts` || path === `${place}.js`;

describe('imports', () => {
  for (const [folder, neighbours] of Object.entries(MAY_IMPORT)) {
    it(`of ${folder} name only ${[folder, ...neighbours].join(', ')}`, () => {
      const files = sources(folder);
      assert.notEqual(files.length, 0, `${folder} is empty`);
      const violations = files.flatMap((file) =>
        importsOf(file)
          .filter((name) => name.startsWith('.'))
          .map((name) => posix.join(posix.dirname(file), name))
          .filter((target) => ![folder, ...neighbours, ...EVERYWHERE].some((place) => within(target, place)))
          .map((target) => `${file} -> ${target}`),
      );
      assert.deepEqual(violations, []);
    });
  }

  for (const [folder, allowed] of Object.entries(MAY_USE)) {
    it(`of ${folder} name no package outside ${allowed.source}`, () => {
      const violations = sources(folder).flatMap((file) =>
        importsOf(file)
          .filter((name) => !name.startsWith('.') && !allowed.test(name))
          .map((name) => `${file} -> ${name}`),
      );
      assert.deepEqual(violations, []);
    });
  }

  it('of src never name the server', () => {
    const violations = sources('src').filter((file) => importsOf(file).some(isOfServer));
    assert.deepEqual(violations, []);
    assert.deepEqual(['@streamgate/server', '../../server/app.js', '../observer/a.js'].filter(isOfServer), [
      '@streamgate/server',
      '../../server/app.js',
    ]);
  });

  it('have no cycle', () => {
    assert.deepEqual(importCycles(importGraph(['src', 'server'].flatMap(sources))), []);
  });

  it('with a cycle are found', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['d', 'b']],
      ['d', ['d']],
      ['e', ['a']],
    ]);
    assert.deepEqual(importCycles(graph), ['d -> d', 'b -> c -> b']);
    assert.deepEqual(
      importCycles(
        new Map([
          ['a', ['b']],
          ['b', []],
        ]),
      ),
      [],
    );
  });

  it('have a rule for every folder', () => {
    const folders = ['src', 'server'].flatMap((home) =>
      readdirSync(home, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(bin|dist|node_modules)$/.test(entry.name))
        .map((entry) => posix.join(home, entry.name)),
    );
    assert.deepEqual(
      folders.filter((folder) => !(folder in MAY_IMPORT) && !IMPORTS_ANYTHING.has(folder)),
      [],
    );
  });

  it('are found in every form', () => {
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
    it(`of demo/frameworks/${app} name only itself, its own packages, and what streamgate exports`, () => {
      const home = posix.join('demo/frameworks', app);
      const sources = existsSync(posix.join(home, 'src')) ? posix.join(home, 'src') : home;
      const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|js|vue|svelte)$/.test(name))
        .map((name) => posix.join(sources, name));
      assert.notEqual(files.length, 0, `${app} is empty`);
      const violations = files.flatMap((file) =>
        importsOf(file)
          .filter((name) =>
            name.startsWith('.') ? !within(posix.join(posix.dirname(file), name), home) : !isKnownTo(home, name),
          )
          .map((name) => `${file} -> ${name}`),
      );
      assert.deepEqual(violations, []);
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
