import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const PROPERTY = /@property\([^)]*\)\s*(?:(?:accessor|override|private|protected) )*(\w+)/g;

it('no element changes a property that the element around it sets: Lit sets objects again with each render', () => {
  const changed = globSync('src/**/*.ts').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const names = [...text.matchAll(PROPERTY)].map(([, name]) => name!);
    return names.filter((name) => new RegExp(`\\bthis\\.${name} = `).test(text)).map((name) => `${name} in ${file}`);
  });
  assert.deepEqual(changed, []);
});
