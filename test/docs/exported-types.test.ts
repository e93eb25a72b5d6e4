import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { analyzeTags, typeSources } from '../../scripts/editor-data/analyze-tags.js';

const SRC = join(import.meta.dirname, '../../src');

/** The types, interfaces and classes that our sources export, by name. */
const ours = new Set(
  typeSources().flatMap((source) =>
    [...source.matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm)].map(([, name]) => name!),
  ),
);

/** The names that an entry of the package exports. */
const exportsOf = (entry: string): ReadonlySet<string> =>
  new Set(readFileSync(join(SRC, entry), 'utf8').match(/\b[A-Z]\w+\b/g));

describe('the types of public members', async () => {
  const tags = await analyzeTags();
  const typesOf = (members: readonly { readonly type: string }[]): string[] =>
    members.flatMap(({ type }) => type.match(/\b[A-Z]\w+\b/g) ?? []).filter((name) => ours.has(name));

  for (const { name, properties, events } of tags) {
    it(`of <${name}> are exported by streamgate/elements`, () => {
      const types = typesOf([...properties, ...events]);
      assert.ok(types.includes('StreamLiveEvent') && types.includes('PictureHeight'), 'the types were found');
      const exported = exportsOf('elements.ts');
      assert.deepEqual(
        types.filter((type) => !exported.has(type)),
        [],
      );
    });

    it(`of <${name}> that a component takes are exported by streamgate/react`, () => {
      const exported = exportsOf('react.ts');
      assert.deepEqual(
        typesOf(properties.filter(({ isReadonly }) => !isReadonly)).filter((type) => !exported.has(type)),
        [],
      );
    });
  }
});
