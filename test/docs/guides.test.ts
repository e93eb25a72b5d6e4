import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const TAGS = ['viewer', 'broadcaster'].map((who) => read(`src/elements/${who}/stream-${who}-element.ts`));
/** What the tags say of themselves, such as every `@csspart`. */
const documented = (pattern: RegExp): string[] => [
  ...new Set(TAGS.flatMap((source) => [...source.matchAll(pattern)].map(([, name]) => name!))),
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
  names('docs/embedding.md', 'attribute', [
    ...documented(/@property\(\{ attribute: '([\w-]+)'/g),
    ...documented(/@property\(\) (\w+)/g),
    ...documented(/@attr ([\w-]+)/g),
  ]);
  const frame = read('src/frame/frame-message.ts');
  names(
    'docs/embedding.md',
    'message of the viewer in a frame, and command to it',
    [...frame.matchAll(/\btype: ((?:'[\w-]+'(?: \| )?)+)/g)].flatMap(([, words]) =>
      [...words!.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!),
    ),
  );
  names(
    'docs/embedding.md',
    'code with which the viewer in a frame refuses',
    [.../FrameCommandCode = ([^;]+);/.exec(frame)![1]!.matchAll(/'(\w+)'/g)].map(([, name]) => name!),
  );
  names('docs/events.md', 'event of the tags', documented(/@fires \{\w+\} ([\w-]+)/g));
  names('docs/events.md', 'phase', [
    ...new Set(
      ['viewer', 'broadcaster'].flatMap((who) =>
        [...read(`src/client/${who}-phase.ts`).matchAll(/readonly name: '(\w+)'/g)].map(([, name]) => name!),
      ),
    ),
  ]);
  names('docs/theming.md', 'slot', documented(/@slot (\w+)/g));
  names('docs/theming.md', 'part', documented(/@csspart ([\w-]+)/g));
  names('docs/theming.md', 'custom property', documented(/@cssprop \[(--[\w-]+)=/g));
  names('docs/theming.md', 'state', documented(/@cssstate ([\w-]+)/g));
  names(
    'docs/operating.md',
    'variable of the environment',
    [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name!),
  );
  names(
    'docs/rules.md',
    'reason',
    [...read('src/wire/reason.ts').matchAll(/^ {2}'(\w+)',$/gm)].map(([, name]) => name!),
  );

  names(
    'docs/rules.md',
    'rule',
    readdirSync(join(ROOT, 'server/rules'))
      .map((file) => /^ {2}name: '([\w-]+)',$/m.exec(read(`server/rules/${file}`))?.[1])
      .filter((name) => name !== undefined),
  );

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
