import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const DOCS = join(import.meta.dirname, '../../docs');
/** Members that the headless classes have and the tags do not have. */
const HEADLESS =
  /\b(\w+)\.(?:addEventListener\('(?:phasechange|layerschange|sourceschange)'|select\(|project\(|start\()|\b(\w+) = new (?:Viewer|Broadcaster)\(/g;

const codeBlocks = (markdown: string): string => [...markdown.matchAll(/^```[^]*?^```/gm)].join('\n');

describe('the guides', () => {
  for (const page of readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))) {
    it(`call the variable of a headless client "client" in the code of ${page}`, () => {
      const found = [...codeBlocks(readFileSync(join(DOCS, page), 'utf8')).matchAll(HEADLESS)].map(
        ([, used, created]) => used ?? created!,
      );
      assert.deepEqual(
        found.filter((name) => name !== 'client'),
        [],
      );
    });
  }

  it('show a headless client', () =>
    assert.match(readFileSync(join(DOCS, 'guides/headless-client.md'), 'utf8'), HEADLESS));
});
