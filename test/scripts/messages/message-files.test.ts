import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LANGUAGES, readAreas, type Area, type Group, type NotedGroup } from '../../../scripts/messages/catalogue.ts';
import { messageFiles } from '../../../scripts/messages/message-files.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** An area whose translations are the English texts, except for those given. A plural without a translation is its number. */
function area(english: NotedGroup, german?: Group, note: Partial<Area['note']> = {}, folder = 'src/page'): Area {
  const isText = ([key]: readonly [string, unknown]): boolean => !key.startsWith('@');
  const plain = ([key, text]: readonly [string, unknown]) =>
    [key, typeof text === 'string' ? text.replace(/\{(\w+), plural.*\}\}/, '{$1}') : text] as const;
  const texts = Object.fromEntries(Object.entries(english).filter(isText).map(plain)) as Group;
  const translations = LANGUAGES.map((tag) => [tag, (tag === 'de' && german) || texts] as const);
  return { folder, note: { type: 'PageMessages', ...note }, english, translations: new Map(translations) };
}

const written = (path: string, ...areas: Area[]): string => messageFiles(areas).get(path)!;

describe('the modules of texts', () => {
  it('are what their catalogues say (npm run generate)', () => {
    const stale = [...messageFiles(readAreas())].filter(
      ([path, text]) => readFileSync(join(ROOT, path), 'utf8') !== text,
    );
    assert.deepEqual(
      stale.map(([path]) => path),
      [],
    );
  });

  it('have a type with the arguments that code passes, and with what the catalogue says of each text', () => {
    const english = {
      title: 'Page',
      '@title': 'A heading.',
      left: '{count, plural, one {# is} other {# are}} left',
      since: 'Since {time} ({duration})',
      '@since': { arguments: ['duration', 'time'] },
      link: ['Create one in the ', 'dashboard', '.'],
      states: { live: 'Live', over: 'Over' },
      '@states': { keys: 'State' },
      group: { inside: 'Inside' },
    };
    assert.equal(
      written('src/page/page-messages.ts', area(english, undefined, { types: { State: '../state.js' } })),
      `// Generated from en.json by \`npm run generate\`. Do not edit.
import type { State } from '../state.js';

export interface PageMessages {
  /** A heading. */
  readonly title: string;
  readonly left: (count: number, shownCount: string) => string;
  readonly since: (duration: string, time: string) => string;
  readonly link: readonly [string, string, string];
  readonly states: Readonly<Record<State, string>>;
  readonly group: {
    readonly inside: string;
  };
}
`,
    );
  });

  it('have the texts of a language in the order of the English ones', () => {
    assert.equal(
      written(
        'src/page/de.ts',
        area({ a: 'A', b: 'B {name}', c: { d: 'D' } }, { c: { d: 'd' }, b: 'b {name}', a: 'a' }),
      ),
      `// Generated from de.json by \`npm run generate\`. Do not edit.
import type { PageMessages } from './page-messages.js';

export const de: PageMessages = {
  a: 'a',
  b: (name) => \`b \${name}\`,
  c: { d: 'd' },
};
`,
    );
  });

  it('take texts of other catalogues, which are then not loaded by themselves', () => {
    const part = area({ yes: 'Yes' }, undefined, { type: 'PartMessages' }, 'src/part');
    const page = area({ '@part': { catalogue: '../part' } });
    const files = messageFiles([page, part]);
    assert.match(files.get('src/page/de.ts')!, /import \{ de as part \} from '\.\.\/part\/de\.js';/);
    assert.match(files.get('src/page/page-messages.ts')!, /readonly part: PartMessages;/);
    assert.ok(files.has('src/page/translations.ts'));
    assert.ok(!files.has('src/part/translations.ts'));
  });

  it('take the type of another module, which says that an argument is a number', () => {
    const english = { watching: '{count} watching', '@watching': { counts: ['count'] } };
    const german = { watching: '{count, plural, one {# Person sieht} other {# Personen sehen}} zu' };
    const files = messageFiles([area(english, german, { module: '../messages.js' })]);
    assert.match(files.get('src/page/en.ts')!, /from '\.\.\/messages\.js';/);
    assert.match(files.get('src/page/en.ts')!, /watching: \(_count, shownCount\) => `\$\{shownCount\} watching`,/);
    assert.match(files.get('src/page/de.ts')!, /watching: \(count, shownCount\) => `\$\{\(count === 1 \? /);
    assert.ok(!files.has('src/page/page-messages.ts') && !files.has('src/page/translations.ts'));
  });

  it('are in one bundle where the catalogue says so, and else loaded by language', () => {
    assert.match(
      written('src/page/translations.ts', area({ a: 'A' }, undefined, { bundled: true })),
      /import \{ de \} from .*export const pageMessages: .* = \{ en, ar, de, es, fr, ja, zh \};/s,
    );
    assert.match(
      written('src/page/translations.ts', area({ a: 'A' })),
      /de: async \(\) => \(await import\('\.\/de\.js'\)\)\.de,/,
    );
  });

  for (const [fault, english, german, sentence] of [
    ['a text is missing', { a: 'A', b: { c: 'C' } }, { a: 'A', b: {} }, /src\/page\/de\.json: b\.c: has no text/],
    ['a text is not in English', { a: 'A' }, { a: 'A', b: 'B' }, /de\.json: b: is not in English/],
    ['an argument has another name', { a: '{name}' }, { a: '{nahme}' }, /de\.json: a: .* nahme, and in English name/],
    ['an argument is left out', { a: '{name} is saved' }, { a: 'gespeichert' }, /de\.json: a: .* none, and in English/],
    ['a group is a text', { a: { b: 'B' } }, { a: 'A' }, /de\.json: a: is of another kind/],
    [
      'a plural form is missing',
      { a: '{n, plural, one {#} other {#}}' },
      { a: '{n, plural, other {#}}' },
      /de\.json: a: the plural forms of this language are one, other/,
    ],
    ['several arguments have no order', { a: '{one} {two}' }, { a: '{one} {two}' }, /en\.json: a: .* order/],
    ['a note has no text', { '@a': 'Of nothing.' }, {}, /en\.json: a: has a note and no text/],
    [
      'texts of one group have other arguments',
      { a: { b: 'B', c: '{x}' }, '@a': { keys: "'b' | 'c'" } },
      { a: { b: 'B', c: '{x}' } },
      /differ in their arguments/,
    ],
  ] as const) {
    it(`are not written if ${fault}`, () => assert.throws(() => messageFiles([area(english, german)]), sentence));
  }
});
