import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { analyzeTags } from '../../scripts/editor-data/analyze-tags.js';
import type { Tag } from '../../scripts/editor-data/tag.js';
import { NOT_IN_FIREFOX, NOT_IN_WEBKIT } from '../support/capabilities.js';

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
    assert.ok(wanted.length > 1, 'the source has several');
    assert.deepEqual(
      wanted.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
}

describe('the guides', () => {
  for (const tag of tags) {
    const page = `docs/reference/${tag.name}.md`;
    const named = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);
    names(page, 'attribute', named(tag.attributes));
    names(page, 'property', named(tag.properties));
    it(`${page} has every method`, () => {
      assert.ok(tag.methods.length > 1, 'the tag has several');
      const text = read(page);
      for (const { name } of tag.methods) assert.ok(text.includes(`\`${name}(`), name);
    });
  }
  names('docs/guides/frames.md', 'message of the framed viewer', frameTypes('FrameEvent'));
  names('docs/guides/frames.md', 'command of the framed viewer', frameTypes('FrameCommand'));
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
  names('docs/events.md', 'code of an error', codesOf('StreamErrorCode', 'CaptureErrorCode'));
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
    assert.ok(keys.length > 4, 'the source has several');
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

  names('docs/browsers.md', 'capability that a test is skipped for', [...NOT_IN_FIREFOX, ...NOT_IN_WEBKIT]);
});

describe('the Markdown files in git', () => {
  const pages = filesInGit('*.md');

  it('link to pages and headings that are there', () => {
    for (const known of ['README.md', 'ARCHITECTURE.md', 'server/README.md', 'docs/errors/README.md']) {
      assert.ok(pages.includes(known), `${known} was found`);
    }
    const broken = pages.flatMap((page) =>
      linksOf(read(page))
        .filter(([target, heading]) => !leads(page, target, heading))
        .map((link) => `${page}: ${link.join('#')}`),
    );
    assert.deepEqual(broken, []);
  });

  // Until the packages are on npm.
  it('say how to pack where they say to install', () => {
    const installing = pages.filter((page) => /npm install (?:\S+ )*@?streamgate\b/.test(read(page)));
    assert.ok(installing.includes('docs/guides/quickstart.md'));
    assert.deepEqual(
      installing.filter((page) => !/packages\.md/.test(page + read(page))),
      [],
    );
  });

  it('are all reached by links from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const [target] of linksOf(read(page))) {
        const path = join(dirname(page), target);
        if (pages.includes(path)) reached.add(path);
        // A link to a folder leads to each page in it.
        for (const other of pages) if (dirname(other) === path.replace(/\/$/, '')) reached.add(other);
      }
    }
    assert.deepEqual(
      pages.filter((page) => !reached.has(page)),
      [],
    );
  });
});

describe('the pages for operators', () => {
  const pages = filesInGit('docs/operating/*.md');

  it('have a row on the map', () => {
    const shown = new Set(linksOf(read('docs/operating.md')).map(([target]) => `docs/${target}`));
    assert.deepEqual(
      pages.filter((page) => !shown.has(page)),
      [],
    );
  });

  it('have at most 1,500 words each', () => {
    const words = (page: string) => read(page).match(/[\p{L}\p{N}]\S*/gu)!.length;
    assert.ok(pages.length > 20);
    assert.deepEqual(
      pages.filter((page) => words(page) > 1500),
      [],
    );
  });
});

describe('the other files in git', () => {
  /** Names pages that are not ours. */
  const EXAMPLES = 'test/scripts/reached-files.test.ts';
  const files = filesInGit('*').filter((file) => !file.endsWith('.md') && file !== EXAMPLES);

  it('name pages and headings that are there', () => {
    const named = files.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#([\w-]+))?/g)].map(
        ([link, heading]) => [file, link.split('#')[0]!, heading] as const,
      ),
    );
    assert.ok(named.filter(([, , heading]) => heading !== undefined).length > 1, 'several name a heading');
    const broken = named.filter(([, page, heading]) => !leads('README.md', page, heading));
    assert.deepEqual(broken, []);
  });
});

/** Also those that are new and not ignored. */
function filesInGit(pattern: string): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', pattern], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** Relative links and pictures outside of code: the target, and the heading behind `#`. */
function linksOf(markdown: string): (readonly [target: string, heading: string | undefined])[] {
  const text = markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, 'code');
  return [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, target, heading]) => [target!, heading] as const,
  );
}

function leads(page: string, target: string, heading: string | undefined): boolean {
  const path = target === '' ? page : relative(ROOT, join(ROOT, dirname(page), target));
  if (!existsSync(join(ROOT, path))) return false;
  return heading === undefined || headings(read(path)).includes(heading);
}

/** The anchors that GitHub makes of the headings; the second of two equal ones has `-1` at its end. */
function headings(markdown: string): string[] {
  const seen = new Map<string, number>();
  return [...markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
    const anchor = title!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The codes that types of `errors.ts` list, without those of the types that they contain. */
function codesOf(...types: readonly string[]): string[] {
  const source = read('src/client/errors.ts');
  return types.flatMap((type) => {
    const list = source.slice(source.indexOf(`export type ${type} =`)).split(';')[0]!;
    return [...list.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
  });
}

/** The `type` of each message that a type of `frame-message.ts` declares. */
function frameTypes(name: 'FrameEvent' | 'FrameCommand'): string[] {
  const source = read('src/frame/frame-message.ts');
  const declaration = source.slice(source.indexOf(`export type ${name} =`)).split(/;\n\n|;\n$/)[0]!;
  return [...declaration.matchAll(/type: ((?:'[\w-]+'(?: \| )?)+)/g)].flatMap(([, types]) =>
    [...types!.matchAll(/'([\w-]+)'/g)].map(([, type]) => type!),
  );
}
