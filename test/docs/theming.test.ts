import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { analyzeTags } from '../../scripts/editor-data/analyze-tags.js';
import { codeIn, tableUnder, type Row } from '../support/markdown-table.js';

const ROOT = join(import.meta.dirname, '../..');
const theming = readFileSync(join(ROOT, 'docs/theming.md'), 'utf8');

/** The names in the first cell of rows. */
const named = (rows: readonly Row[]): string[] => rows.flatMap(([name]) => codeIn(name!));

/** The slots of a tag: a row without a tag belongs to the tag above it. The slot without a name has no code. */
function slotsOf(tag: string): string[] {
  let current = '';
  return tableUnder(theming, 'Slots').flatMap(([who, slot]) => {
    current = who || current;
    return current.includes(tag) ? [codeIn(slot!)[0] ?? ''] : [];
  });
}

/** The parts that the templates in a folder of the tags name, but for those that are computed. */
function partsInTemplates(folder: string): string[] {
  const files = globSync(`src/elements/${folder}/**/*.ts`, { cwd: ROOT });
  const source = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const values = [...source.matchAll(/\bpart="([^"]+)"/g)].map(([, value]) => value!.replaceAll(/\$\{[^}]*\}/g, ''));
  return [...new Set(values.flatMap((value) => value.split(' ')))].filter(Boolean);
}

/** Asserts that both lists have the same names, in any order, each once. */
const same = (documented: readonly string[], declared: readonly { readonly name: string }[]): void =>
  assert.deepEqual(documented.toSorted(), declared.map(({ name }) => name).toSorted());

describe('docs/theming.md', async () => {
  const tags = await analyzeTags();
  const [broadcaster, viewer] = tags;
  assert.deepEqual([broadcaster?.name, viewer?.name], ['stream-broadcaster', 'stream-viewer']);

  for (const [column, tag] of [viewer!, broadcaster!].entries()) {
    it(`has the parts of <${tag.name}>`, () => {
      const shared = tableUnder(theming, 'Parts').filter((row) => row[column + 1] === 'yes');
      const bar = tag === viewer ? named(tableUnder(theming, "Parts of the viewer's bar")) : [];
      same([...named(shared), ...bar], tag.parts);
    });

    it(`has each part of <${tag.name}> that its templates name`, () => {
      const parts = partsInTemplates(tag.name.replace('stream-', ''));
      assert.ok(parts.includes('button'));
      assert.deepEqual(
        parts.filter((part) => !tag.parts.some(({ name }) => name === part)),
        [],
      );
    });

    it(`has the states of <${tag.name}>`, () => {
      const row = tableUnder(theming, 'States').find(([name]) => name === `\`<${tag.name}>\``);
      same(codeIn(row!.slice(1).join(' ')), tag.states);
    });

    it(`has the slots of <${tag.name}>`, () => same(slotsOf(tag.name), tag.slots));
  }

  it('has the custom properties of the tags, with their defaults', () => {
    const documented = tableUnder(theming, 'Custom properties').map(([name, initial]) => [
      codeIn(name!)[0]!,
      codeIn(initial!)[0],
    ]);
    const declared = new Map(
      tags.flatMap(({ cssProperties }) => cssProperties).map(({ name, default: initial }) => [name, initial]),
    );
    assert.deepEqual(documented.map(([name]) => name).toSorted(), [...declared.keys()].toSorted());
    for (const [name, initial] of documented)
      if (initial !== undefined) assert.equal(initial, declared.get(name!), name);
  });
});
