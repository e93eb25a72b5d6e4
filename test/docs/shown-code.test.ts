import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The code blocks of a guide that name a file, and must be equal to it. */
const shownIn = (guide: string): readonly (readonly [path: string, code: string])[] =>
  [...read(guide).matchAll(/^<!-- (\S+) -->\n\n```\w+\n([^]*?)^```$/gm)].map(([, path, code]) => [path!, code!]);

const GUIDES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && !file.startsWith('reference/'))
  .map((file) => `docs/${file}`)
  .filter((guide) => read(guide).includes('\n<!--'));

for (const guide of GUIDES) {
  describe(guide, () => {
    for (const [path, code] of shownIn(guide)) {
      it(`shows ${path} as it is`, () => assert.equal(code, read(path)));
    }

    it('names no file that it does not show', () => {
      assert.equal(shownIn(guide).length, [...read(guide).matchAll(/^<!--/gm)].length);
    });
  });
}

it('docs/frameworks.md shows code of every app', () => {
  const apps = new Set(shownIn('docs/frameworks.md').map(([path]) => path.split('/')[2]));
  assert.deepEqual([...apps].toSorted(), readdirSync(join(ROOT, 'demo/frameworks')).toSorted());
});
