import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { analyzeTags } from '../../scripts/editor-data/analyze-tags.js';
import type { Tag } from '../../scripts/editor-data/tag.js';
import { NOT_IN_FIREFOX } from '../support/capabilities.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What the custom elements manifest says of both tags. */
const tags = await analyzeTags();
const all = (list: (tag: Tag) => readonly { readonly name: string }[]): string[] => [
  ...new Set(tags.flatMap((tag) => list(tag).map(({ name }) => name))),
];

function names(guide: string, what: string, wanted: readonly string[]): void {
  const text = read(guide);
  it(`${guide} names every ${what}`, () => {
    assert.ok(wanted.length > 1, 'they were looked for in the right place');
    assert.deepEqual(
      wanted.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
}

describe('the guides', () => {
  names(
    'docs/embedding.md',
    'attribute',
    all(({ attributes }) => attributes),
  );
  names(
    'docs/embedding.md',
    'property',
    all(({ properties }) => properties),
  );
  names(
    'docs/embedding.md',
    'method',
    all(({ methods }) => methods.map(({ name }) => ({ name: `${name}()` }))),
  );
  names(
    'docs/events.md',
    'event of the tags',
    all(({ events }) => events),
  );
  names('docs/events.md', 'phase', [
    ...new Set(
      ['viewer', 'broadcaster'].flatMap((who) =>
        [...read(`src/client/${who}/${who}-phase.ts`).matchAll(/readonly name: '(\w+)'/g)].map(([, name]) => name!),
      ),
    ),
  ]);
  names(
    'docs/theming.md',
    'slot',
    all(({ slots }) => slots).filter((name) => name !== ''),
  );
  names(
    'docs/theming.md',
    'part',
    all(({ parts }) => parts),
  );
  names(
    'docs/theming.md',
    'custom property',
    all(({ cssProperties }) => cssProperties),
  );
  names(
    'docs/theming.md',
    'state',
    all(({ states }) => states),
  );

  it('docs/accessibility.md names every key', () => {
    const keys = [...read('src/elements/viewer/controls/hotkeys.ts').matchAll(/^ {2}\['(.+)', '\w+'\],$/gm)].map(
      ([, key]) => key!,
    );
    const written: Record<string, string> = { ' ': 'Space', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
    const text = read('docs/accessibility.md');
    assert.ok(keys.length > 4, 'they were looked for in the right place');
    assert.deepEqual(
      keys.filter((key) => !text.includes(`<kbd>${written[key] ?? key.toUpperCase()}</kbd>`)),
      [],
    );
  });

  names(
    'docs/rules.md',
    'reason',
    [...read('src/wire/director/refusal-code.ts').matchAll(/^ {2}'(\w+)',$/gm)].map(([, name]) => name!),
  );

  names(
    'docs/rules.md',
    'rule',
    readdirSync(join(ROOT, 'server/rules'))
      .map((file) => /^ {2}name: '([\w-]+)',$/m.exec(read(`server/rules/${file}`))?.[1])
      .filter((name) => name !== undefined),
  );

  names('docs/browsers.md', 'capability that a test is skipped for', NOT_IN_FIREFOX);

  const pages = [
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
    'server/README.md',
  ];

  it('link to pages and headings that are there', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(([, target, heading]) => !leads(page, target!, heading))
        .map(([link]) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });
});

function leads(page: string, target: string, heading: string | undefined): boolean {
  const path = target === '' ? page : relative(ROOT, join(ROOT, dirname(page), target));
  if (!existsSync(join(ROOT, path))) return false;
  return heading === undefined || headings(read(path)).includes(heading);
}

/** As GitHub makes anchors of them. */
function headings(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
