import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const DOCS = join(import.meta.dirname, '../../docs');
/** Members that only the headless classes have. */
const HEADLESS =
  /\b(\w+)\.(?:addEventListener\('(?:phasechange|layerschange|sourceschange)'|select\(|project\(|start\()|\b(\w+) = new (?:Viewer|Broadcaster)\(/g;

describe('the guides', () => {
  for (const page of readdirSync(DOCS).filter((name) => name.endsWith('.md'))) {
    it(`name the variable of a headless client "client" in ${page}`, () => {
      const found = [...readFileSync(join(DOCS, page), 'utf8').matchAll(HEADLESS)].map(
        ([, user, made]) => user ?? made!,
      );
      assert.deepEqual(
        found.filter((name) => name !== 'client'),
        [],
      );
    });
  }

  it('show a headless client', () => assert.match(readFileSync(join(DOCS, 'events.md'), 'utf8'), HEADLESS));
});
