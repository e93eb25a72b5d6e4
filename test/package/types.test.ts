import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packPackage } from '../../scripts/pack.js';
import { ConsumerFolder, type CompilerSettings } from '../support/consumer-folder.js';

/** A file for each entry of the package, which imports that entry and no other. */
const SOURCES = join(import.meta.dirname, 'entries');
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && file !== 'same.ts',
);

/** These need a framework, which is not installed here:  `test/frameworks` checks them in an application. */
const IN_APPLICATIONS = ['streamgate/svelte', 'streamgate/vue'];

const APART: readonly CompilerSettings[] = [
  { strict: true, moduleResolution: 'bundler' },
  { strict: false, moduleResolution: 'node16' },
];
const ALL: readonly CompilerSettings[] = [
  ...APART,
  { strict: true, moduleResolution: 'node16' },
  { strict: false, moduleResolution: 'bundler' },
];
/** Entries that declare for the whole program get every setting, the others each value of each setting. */
const settingsOf = (file: string) => (/^(define|elements|react)/.test(file) ? ALL : APART);

const inWords = ({ strict, moduleResolution }: CompilerSettings): string =>
  `${strict ? 'strict' : 'not strict'}, with resolution for ${moduleResolution}`;

const importsOf = (file: string): string[] =>
  [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/'(streamgate[^']*)'/g)].map(([, name]) => name!);

describe('the types of the packed package', { concurrency: 2 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-types-'));
  const consumer = (name: string, react: string) => {
    mkdirSync(join(folder, name));
    return new ConsumerFolder(join(folder, name), { lit: 'lit', zod: 'zod', '@types/react': react });
  };
  const current = consumer('react-19', '@types/react');
  const older = consumer('react-18', '@types/react-18');
  const broken = consumer('broken', '@types/react');

  before(async () => {
    const tarball = await packPackage();
    for (const one of [current, older, broken]) {
      await one.unpack(tarball);
      one.copy(SOURCES);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are checked for every entry that has types, each by itself', () => {
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const entries = Object.entries<object | string>(exports)
      .filter(([, target]) => typeof target === 'object' && 'types' in target)
      .map(([entry]) => `streamgate${entry.slice(1)}`);
    assert.deepEqual([...FILES.flatMap(importsOf), ...IN_APPLICATIONS].toSorted(), entries.toSorted());
    for (const file of FILES.filter((file) => file !== 'i18n.ts')) assert.equal(importsOf(file).length, 1, file);
  });

  for (const file of FILES) {
    for (const settings of settingsOf(file)) {
      it(`hold in ${file}, ${inWords(settings)}`, async () => {
        assert.equal(await current.typeErrors(file, settings), '');
      });
    }
  }

  for (const settings of APART) {
    it(`hold with the types of React 18, ${inWords(settings)}`, async () => {
      assert.equal(await older.typeErrors('react.tsx', settings), '');
    });
  }

  it('fail if the events are not imported by the elements', async () => {
    for (const who of ['viewer', 'broadcaster']) {
      const file = join(broken.path, `node_modules/streamgate/dist/elements/${who}/stream-${who}-element.d.ts`);
      const declared = readFileSync(file, 'utf8');
      assert.match(declared, /import '\.\.\/events\.js';/);
      writeFileSync(file, declared.replace("import '../events.js';", ''));
    }
    for (const settings of APART) {
      const [viewer, broadcaster, react] = await Promise.all(
        ['define/stream-viewer.ts', 'define/stream-broadcaster.ts', 'react.tsx'].map((file) =>
          broken.typeErrors(file, settings),
        ),
      );
      assert.match(viewer!, /Property 'streamName' does not exist on type 'Event'/);
      assert.match(broadcaster!, /Property 'streamName' does not exist on type 'Event'/);
      assert.match(react!, /does not exist on type 'Event'/);
    }
  });
});
